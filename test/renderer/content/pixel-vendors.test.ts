import { describe, expect, test } from 'vitest';
import { emptyPixelForm, pixelChangeOf } from '../../../renderer/content/pixels/pixel-form.ts';
import {
  isKnownType,
  isTag,
  readSnippet,
  tagInSnippet,
  vendors,
} from '../../../renderer/content/pixels/pixel-vendors.ts';
import { type PixelType, pixelTags, pixelTypes } from '../../../server/contract/pixels.ts';

/** What each service gives out to be put into pages, shortened; the id in it is the example of the contract. */
const snippets: Record<PixelType, string> = {
  gtmpixel: `<script>(function(w,d,s,l,i){w[l]=w[l]||[];})(window,document,'script','dataLayer','GTM-ABC1234');</script>`,
  gapixel: `<script async src="https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234"></script><script>gtag('config', 'G-ABCDEF1234');</script>`,
  fbpixel: `<script>fbq('init', '123456789012345');fbq('track', 'PageView');</script>`,
  adwordspixel: `<script>gtag('event', 'conversion', {'send_to': 'AW-123456789/AbC-D_efG'});</script>`,
  linkedinpixel: `<script>_linkedin_partner_id = "1234567";</script>`,
  twitterpixel: `<script>twq('config','o1a2b');</script>`,
  adrollpixel: `<script>adroll_adv_id = "ABCDEFGHIJKLMNOPQRSTUV"; adroll_pix_id = "ABCDEFGHIJKLMNOPQRSTUV";</script>`,
  quorapixel: `<script>qp('init', '0123456789abcdef0123456789abcdef');</script>`,
  pinterest: `<script>pintrk('load', '2612345678901', {em: 'x'});</script>`,
  bing: `<script>(function(w,d,t,r,u){var f;f=function(){var o={ti:"12345678", enableAutoSpaTracking: true};}})</script>`,
  snapchat: `<script>snaptr('init', '01234567-89ab-cdef-0123-456789abcdef', {});</script>`,
  reddit: `<script>rdt('init','t2_abc123');rdt('track', 'PageVisit');</script>`,
  tiktok: `<script>ttq.load('C1ABCDEFGHIJ23KLMNOP');ttq.page();</script>`,
};

describe.each(pixelTypes)('the pixel %s', (type) => {
  test("is recognized with its id in the service's code", () => {
    expect(tagInSnippet(type, snippets[type])).toBe(pixelTags[type].example);
    expect(readSnippet(snippets[type])).toEqual({ type, tag: pixelTags[type].example });
  });

  test('keeps an id unchanged and finds none in other texts', () => {
    expect(isTag(type, ` ${pixelTags[type].example} `)).toBe(true);
    expect(tagInSnippet(type, pixelTags[type].example)).toBeUndefined();
    expect(tagInSnippet(type, 'https://example.com/')).toBeUndefined();
    expect(isTag(type, snippets[type])).toBe(false);
  });

  test('has an icon', () => expect(vendors[type].mark).toMatch(/^\p{L}{1,2}$/u));
});

test('types of other servers are not mistaken for ours', () => {
  expect([isKnownType('gapixel'), isKnownType('toString'), isKnownType('mastodon')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('an update sends what is different', () => {
  const before = { ...emptyPixelForm(), name: 'A', tag: 'G-ABCDEF1234' };
  expect(pixelChangeOf({ ...before, name: ' A ' }, before)).toEqual({});
  expect(pixelChangeOf({ ...before, tag: 'G-ABCDEF9999 ' }, before)).toEqual({ tag: 'G-ABCDEF9999' });
});
