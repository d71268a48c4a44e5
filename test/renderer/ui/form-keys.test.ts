import UApp from '@nuxt/ui/components/App.vue';
import UTheme from '@nuxt/ui/components/Theme.vue';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { defineComponent, h, ref } from 'vue';
import ChannelSlideover from '../../../renderer/content/channels/ChannelSlideover.vue';
import CaseChangesDialog from '../../../renderer/content/simulator/CaseChangesDialog.vue';
import { takeFocus, useFormKeys } from '../../../renderer/ui/use-form-keys.ts';
import { account, fieldOf, fill, meta, openPage, type Page, settle } from '../page.ts';

const isOpen = ref(false);
beforeEach(() => {
  isOpen.value = false;
});

const taken = {
  status: 400,
  body: { error: 1, message: 'This name is taken.', code: 'invalid', field: 'description' },
};

/** A page with a button that opens the form of a new channel. */
async function openForm(
  reply: object = {
    body: { error: 0, id: 3, name: 'Print', description: null, color: null, starred: false },
  },
): Promise<Page> {
  const App = defineComponent({
    setup() {
      useFormKeys(document);
      const close = (open: boolean) => {
        isOpen.value = open;
      };
      return () =>
        h(UApp, () => [
          h('button', { id: 'opener', onClick: () => close(true) }, 'Open'),
          h(ChannelSlideover, { open: isOpen.value, 'onUpdate:open': close }),
        ]);
    },
  });
  const page = await openPage(App, '/channels', {
    'GET /api/meta': meta(false),
    'GET /api/account': { body: { error: 0, data: account } },
    'POST /api/channel/add': reply,
  });
  document.getElementById('opener')?.focus();
  document.getElementById('opener')?.click();
  await settle();
  return page;
}

async function pressKeys(init: KeyboardEventInit): Promise<void> {
  const target = document.activeElement ?? document.body;
  target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }));
  await settle();
}

const sent = ({ requests }: Page) => requests.filter(({ method }) => method === 'POST');

describe('a form used by keyboard', () => {
  test('starts in its first field and returns the focus', async () => {
    await openForm();
    expect(document.activeElement).toBe(fieldOf('Name'));
    isOpen.value = false;
    await settle();
    expect(document.activeElement?.id).toBe('opener');
  });

  test('is not affected by a second Enter meant for what is behind it', async () => {
    await openForm();
    const enterAt = (at: number) => {
      const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
      Object.defineProperty(event, 'timeStamp', { value: at });
      document.activeElement?.dispatchEvent(event);
      return event.defaultPrevented;
    };
    await fill('Name', 'Print');
    fieldOf('Name').focus();
    expect(enterAt(1000)).toBe(false);
    fieldOf('Name').form?.requestSubmit();
    await settle();
    expect(isOpen.value).toBe(false);
    expect(document.activeElement?.id).toBe('opener');
    expect(enterAt(1200)).toBe(true);
    expect(enterAt(2000)).toBe(false);
  });

  test.each([{ ctrlKey: true }, { metaKey: true }])(
    'is submitted once by Enter with %o, wherever the focus is',
    async (held) => {
      const page = await openForm();
      await fill('Name', 'Print');
      (document.activeElement as HTMLElement).blur();
      await pressKeys({ key: 'Enter', ...held });
      expect(sent(page)).toHaveLength(1);
      expect(isOpen.value).toBe(false);
    },
  );

  test('is not submitted by a held key', async () => {
    const page = await openForm();
    await fill('Name', 'Print');
    await pressKeys({ key: 'Enter', ctrlKey: true, repeat: true });
    expect(sent(page)).toHaveLength(0);
  });

  test('moves to the first invalid field', async () => {
    const page = await openForm();
    fieldOf('Description').focus();
    await pressKeys({ key: 'Enter', ctrlKey: true });
    expect(sent(page)).toHaveLength(0);
    expect(document.activeElement).toBe(fieldOf('Name'));
  });

  test('moves to the field that the server rejected', async () => {
    await openForm(taken);
    await fill('Name', 'Print');
    await pressKeys({ key: 'Enter', ctrlKey: true });
    expect(document.activeElement).toBe(fieldOf('Description'));
    expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true');
  });

  test('leads there after a second Enter, too', async () => {
    await openForm(taken);
    await fill('Name', 'Print');
    fieldOf('Name').focus();
    // The first frame after a submission is over before its answer.
    vi.stubGlobal('requestAnimationFrame', () => 0);
    fieldOf('Name').form?.requestSubmit();
    // Browsers take the focus from a field that is disabled.
    fieldOf('Name').blur();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    await settle();
    expect(document.activeElement).toBe(fieldOf('Description'));
    vi.unstubAllGlobals();
  });
});

test('a question about a list starts at the button that changes nothing', async () => {
  const outcome = { link: 'https://example.com/', rule: null, type: '1', status: 302, outcome: 'redirect' };
  const one = { id: 1, name: 'From Berlin', expected: {}, before: outcome, after: outcome };
  const Question = () =>
    h(CaseChangesDialog, { open: true, cases: { total: 1, changed: 1, changes: [one] } } as never);
  const App = () =>
    h(UApp, () => h(UTheme, { props: { modal: { content: { onOpenAutoFocus: takeFocus } } } }, Question));
  await openPage(defineComponent({ render: App }), '/links', {
    'GET /api/meta': meta(false),
    'GET /api/account': { body: { error: 0, data: account } },
  });
  await settle();
  expect(document.activeElement?.textContent).toContain('Back to the form');
});
