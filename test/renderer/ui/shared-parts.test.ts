import UApp from '@nuxt/ui/components/App.vue';
import { useToast } from '@nuxt/ui/composables';
import { mount } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { h, nextTick } from 'vue';
import { useConnectionStore } from '../../../renderer/api/connection.ts';
import { instanceKey, instanceQueryKey, useInstanceStore } from '../../../renderer/api/instance.ts';
import { useRateWait } from '../../../renderer/api/rate-wait.ts';
import QrDialog from '../../../renderer/content/links/QrDialog.vue';
import { madeToastId } from '../../../renderer/content/links/use-made-toast.ts';
import { pageRouter } from '../../../renderer/router.ts';
import CopyButton from '../../../renderer/ui/CopyButton.vue';
import ExternalLink from '../../../renderer/ui/ExternalLink.vue';
import { qrSvg } from '../../../renderer/ui/qr-code.ts';
import { translations } from '../../../renderer/ui/sentences.ts';

beforeEach(() => setActivePinia(createPinia()));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a link to a URL', () => {
  it('opens in a new tab and tells the site nothing about us', () => {
    const link = mount(ExternalLink, { props: { href: 'https://example.com/x' } }).get('a');
    expect(link.attributes()).toMatchObject({
      href: 'https://example.com/x',
      target: '_blank',
      rel: 'noopener noreferrer',
    });
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'no address'])('is plain text for %j', (href) => {
    const wrapper = mount(ExternalLink, { props: { href } });
    expect(wrapper.find('a').exists()).toBe(false);
    expect(wrapper.text()).toBe(href);
  });

  it('opens in the system’s browser on the desktop', async () => {
    const openExternal = vi.fn(async () => {});
    vi.stubGlobal('desktop', { openExternal });
    await mount(ExternalLink, { props: { href: 'https://example.com/' } })
      .get('a')
      .trigger('click');
    expect(openExternal).toHaveBeenCalledWith('https://example.com/');
  });
});

describe("a link's QR code", () => {
  it('dismisses the message about its creation, which would cover its buttons', async () => {
    const { add, toasts } = useToast();
    add({ id: madeToastId, title: 'Short link created' });
    await expect.poll(() => toasts.value.length).toBe(1);
    mount(() => h(UApp, () => h(QrDialog, { url: 'https://go.example/a', open: true })), {
      global: { plugins: [translations(), pageRouter()] },
    });
    await expect.poll(() => toasts.value.filter(({ open }) => open)).toEqual([]);
  });
});

describe('a copy button', () => {
  async function copyWith(writeText: () => Promise<void>): Promise<string> {
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
    document.execCommand = () => false;
    const wrapper = mount(() => h(UApp, () => h(CopyButton, { text: 'the text' })), {
      global: { plugins: [translations(), pageRouter()] },
    });
    await wrapper.get('button').trigger('click');
    await expect.poll(() => wrapper.get('[role="status"]').text()).not.toBe('');
    return wrapper.get('[role="status"]').text();
  }

  it('reports success', async () => {
    const writeText = vi.fn(async () => {});
    expect(await copyWith(writeText)).toBe('Copied');
    expect(writeText).toHaveBeenCalledWith('the text');
  });

  it('reports failure', async () => {
    expect(await copyWith(() => Promise.reject(new Error('not allowed')))).toBe('Couldn’t copy');
  });
});

describe('a QR code', () => {
  it('has the quiet zone of four modules that scanners need', async () => {
    const svg = await qrSvg('http://localhost:8420/spring');
    const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
    // Version 2 or 3 is 25 or 29 modules wide; the rest is the quiet zone.
    expect([25 + 8, 29 + 8]).toContain(size);
    const [x, y] = (/stroke="#000000" d="M(\d+) (\d+)/.exec(svg) ?? []).slice(1).map(Number);
    expect([x, y]).toEqual([4, 4]);
  });
});

describe('what the client stores', () => {
  it('names the instance it belongs to', () => {
    const store = useInstanceStore();
    store.currentId = 'one';
    expect(instanceKey('drafts')).toBe('waypost:one:drafts');
    expect(instanceQueryKey(['links', { page: 1 }])).toEqual(['one', 'links', { page: 1 }]);
    store.currentId = 'two';
    expect(instanceKey('drafts')).toBe('waypost:two:drafts');
  });
});

describe('rate limit pauses', () => {
  it('count down, and the longest one counts', async () => {
    vi.useFakeTimers();
    const wait = useRateWait();
    const over = wait.begin({ seconds: 10, cancel: () => {} });
    wait.begin({ seconds: 3, cancel: () => {} });
    vi.advanceTimersByTime(2000);
    await nextTick();
    expect(wait.secondsLeft).toBe(8);
    over();
    await nextTick();
    expect(wait.secondsLeft).toBe(1);
  });

  it('can be cancelled together', () => {
    const wait = useRateWait();
    const cancel = vi.fn();
    wait.begin({ seconds: 10, cancel });
    wait.begin({ seconds: 20, cancel });
    wait.cancel();
    expect(cancel).toHaveBeenCalledTimes(2);
  });
});

describe('a lost connection', () => {
  it('is reported once, and once again when it is back', () => {
    vi.useFakeTimers();
    const connection = useConnectionStore();
    const found = vi.fn();
    connection.onFound(found);
    connection.note(true);
    expect(connection.lost).toBe(false);
    connection.note(false);
    connection.note(false);
    expect(connection.lost).toBe(true);
    connection.note(true);
    expect(connection.lost).toBe(false);
    expect(found).toHaveBeenCalledOnce();
  });
});
