import { describe, expect, test } from 'vitest';
import {
  campaignChangeOf,
  emptyCampaignForm,
  formOfCampaign,
  newCampaignOf,
  slugOf,
} from '../../../renderer/content/campaigns/campaign-form.ts';
import { readWeight, sharesOf } from '../../../renderer/content/campaigns/shares.ts';
import { offeredColors, readColor, textOn } from '../../../renderer/content/channels/channel-color.ts';
import {
  channelChangeOf,
  emptyChannelForm,
  formOfChannel,
  newChannelOf,
} from '../../../renderer/content/channels/channel-form.ts';
import { placeUnder, withMoved } from '../../../renderer/ui/drag-order.ts';
import { campaignReply } from '../../../server/contract/campaigns.ts';
import { contrastOf } from '../../../server/contract/contrast.ts';

const spring = {
  id: 3,
  name: 'Spring',
  public: false,
  rotator: 'https://go.example/r/spr%C3%BCng',
  list: 'https://go.example/u/a/list-3',
};

describe('the campaign form', () => {
  test('reads the slug from the URL if the server does not send it', () => {
    expect(slugOf(spring)).toBe('sprüng');
    expect(slugOf({ slug: 'said', rotator: false })).toBe('said');
    expect(slugOf({ rotator: false })).toBe('');
    expect(slugOf({ rotator: 'https://go.example/r/%E0%A4%A' })).toBe('%E0%A4%A');
  });

  test("accepts a domain of its own and omits the instance's", () => {
    expect(formOfCampaign({ ...spring, domain: 'https://go.example' }, 'go.example').domain).toBe('');
    expect(formOfCampaign({ ...spring, domain: 'https://x.example/' }, 'go.example').domain).toBe(
      'x.example',
    );
  });

  test('sends what was filled in for a new campaign', () => {
    expect(newCampaignOf({ ...emptyCampaignForm(), name: ' Autumn ' })).toEqual({ name: 'Autumn' });
    const filled = { name: 'Autumn', rotator: true, slug: ' fall ', domain: 'x.example', public: true };
    expect(newCampaignOf(filled)).toEqual({
      name: 'Autumn',
      slug: 'fall',
      domain: 'x.example',
      public: true,
    });
    expect(newCampaignOf({ ...filled, rotator: false })).not.toHaveProperty('slug');
  });

  test('sends the name and what changed in an update; no rotator is an empty slug', () => {
    const before = formOfCampaign({ ...spring, slug: 'spring' }, 'go.example');
    expect(campaignChangeOf(before, before)).toEqual({});
    expect(campaignChangeOf({ ...before, rotator: false }, before)).toEqual({ name: 'Spring', slug: null });
    expect(campaignChangeOf({ ...before, public: true, domain: 'x.example' }, before)).toEqual({
      name: 'Spring',
      public: true,
      domain: 'x.example',
    });
    expect(campaignChangeOf({ ...before, name: 'Summer' }, before)).toEqual({ name: 'Summer' });
  });

  test('understands both published shapes of the reply', () => {
    const flat = { id: 3, campaign: 'Spring', public: true, rotator: false, list: 'https://x.example/l' };
    const nested = { id: 3, data: { ...spring, slug: 'a', domain: null, views: 0, urlcount: 0 } };
    for (const reply of [flat, nested]) expect(campaignReply.safeParse(reply).success).toBe(true);
  });
});

describe('the rotator', () => {
  test('distributes its visits by weight', () => {
    expect(sharesOf([1, 1, 2])).toEqual([0.25, 0.25, 0.5]);
    expect(sharesOf([0, 0])).toEqual([0, 0]);
    expect(sharesOf([])).toEqual([]);
  });

  test.each([
    ['0', 0],
    [' 100 ', 100],
    ['101', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['', undefined],
    [7, 7],
  ])('reads the weight %j as %j', (typed, weight) => {
    expect(readWeight(typed)).toBe(weight);
  });
});

describe('the color of a channel', () => {
  test.each([
    ['#abc', '#AABBCC'],
    ['2563eb', '#2563EB'],
    [' #2563EB ', '#2563EB'],
    ['red', undefined],
    ['#12345', undefined],
    ['url(x)', undefined],
    ['', undefined],
    [null, undefined],
  ])('%j is %j', (text, color) => {
    expect(readColor(text)).toBe(color);
  });

  test('has readable text on it, whatever it is', () => {
    for (const { value } of offeredColors) expect(contrastOf(value, textOn(value))).toBeGreaterThan(4.5);
    for (let step = 0; step < 4096; step += 1) {
      const color = readColor(step.toString(16).padStart(3, '0')) as string;
      expect(contrastOf(color, textOn(color))).toBeGreaterThan(4.5);
    }
  });
});

describe('the channel form', () => {
  const channel = { id: 1, name: 'Mail', description: null, color: '#2563eb', starred: true };

  test('sends what was filled in for a new channel', () => {
    expect(newChannelOf({ ...emptyChannelForm(), name: ' Mail ' })).toEqual({ name: 'Mail' });
    expect(newChannelOf({ name: 'Mail', description: ' x ', color: 'abc', starred: true })).toEqual({
      name: 'Mail',
      description: 'x',
      color: '#AABBCC',
      starred: true,
    });
  });

  test('sends what changed in an update; an empty field is null', () => {
    const before = formOfChannel(channel);
    expect(channelChangeOf(before, before)).toEqual({});
    expect(channelChangeOf({ ...before, color: '', description: 'By mail', starred: false }, before)).toEqual(
      { color: null, description: 'By mail', starred: false },
    );
    const described = { ...before, description: 'By mail' };
    expect(channelChangeOf({ ...described, description: ' ' }, described)).toEqual({ description: null });
  });
});

describe('an order', () => {
  test('has a row at its new place and the others unchanged', () => {
    expect(withMoved(['a', 'b', 'c', 'd'], 'a', 2)).toEqual(['b', 'c', 'a', 'd']);
    expect(withMoved(['a', 'b', 'c', 'd'], 'd', 0)).toEqual(['d', 'a', 'b', 'c']);
    expect(withMoved(['a', 'b', 'c'], 'a', 99)).toEqual(['b', 'c', 'a']);
    expect(withMoved(['a', 'b', 'c'], 'c', -5)).toEqual(['c', 'a', 'b']);
  });

  test('is the same array if nothing moves', () => {
    const order = ['a', 'b'];
    expect(withMoved(order, 'a', 0)).toBe(order);
    expect(withMoved(order, 'b', 7)).toBe(order);
    expect(withMoved(order, 'x', 0)).toBe(order);
  });

  test('finds the place under the pointer', () => {
    const middles = [24, 72, 120];
    expect([0, 24, 25, 100, 500].map((y) => placeUnder(middles, y))).toEqual([0, 0, 1, 2, 3]);
  });
});
