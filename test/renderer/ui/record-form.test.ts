import UApp from '@nuxt/ui/components/App.vue';
import { beforeEach, describe, expect, test } from 'vitest';
import { defineComponent, h, reactive } from 'vue';
import { useInstanceStore } from '../../../renderer/api/instance.ts';
import ChannelSlideover from '../../../renderer/content/channels/ChannelSlideover.vue';
import UserSlideover from '../../../renderer/identity/users/UserSlideover.vue';
import { useFormKeys } from '../../../renderer/ui/use-form-keys.ts';
import type { Channel } from '../../../server/contract/channels.ts';
import { account, fieldOf, fill, meta, openPage, type Page, press, settle } from '../page.ts';

const news = { id: 1, name: 'News', description: null, color: null, starred: false } as unknown as Channel;
const shop = { ...news, id: 2, name: 'Shop' };

const state = reactive<{ open: boolean; channel: Channel | undefined }>({ open: true, channel: undefined });
beforeEach(() => {
  state.open = true;
  state.channel = undefined;
});

const answers = () => ({
  'GET /api/meta': meta(false),
  'GET /api/account': { body: { error: 0, data: account } },
  'POST /api/channel/add': { body: { error: 0, ...news, id: 3 } },
  'PUT /api/channel/1/update': { body: { error: 0, message: 'Saved.' } },
});

/** The form of a channel in an app, over a server that notes what it was sent. */
const App = defineComponent({
  setup() {
    useFormKeys(document);
    const form = () =>
      h(ChannelSlideover, {
        open: state.open,
        'onUpdate:open': (open: boolean) => {
          state.open = open;
        },
        channel: state.channel,
      });
    return () => h(UApp, form);
  },
});

function openForm(): Promise<Page> {
  return openPage(App, '/channels', answers());
}

async function open(channel?: Channel): Promise<void> {
  state.channel = channel;
  state.open = true;
  await settle();
}

async function close(): Promise<void> {
  state.open = false;
  await settle();
}

const sent = ({ requests }: Page) => requests.filter(({ method }) => method !== 'GET');

describe('a form closed before saving', () => {
  test('restores the input when reopened, until it is discarded', async () => {
    const page = await openForm();
    await fill('Name', 'Newslett');
    await close();
    await open(news);
    expect(fieldOf('Name').value).toBe('News');
    expect(page.text()).not.toContain('Restored your unsaved changes.');
    await close();
    await open();
    expect(fieldOf('Name').value).toBe('Newslett');
    expect(page.text()).toContain('Restored your unsaved changes.');
    await press('Discard');
    expect(fieldOf('Name').value).toBe('');
    await close();
    await open();
    expect(page.text()).not.toContain('Restored your unsaved changes.');
  });

  test('takes unchanged fields from the current record', async () => {
    await openForm();
    await close();
    await open(news);
    await fill('Description', 'What is new');
    await close();
    await open({ ...news, name: 'Latest' });
    expect(fieldOf('Name').value).toBe('Latest');
    expect(document.querySelector('textarea')?.value ?? fieldOf('Description').value).toBe('What is new');
  });

  test('restores the input for a copy, and not for the copy of another record', {
    tags: 'long',
  }, async () => {
    const copyOf = ({ id: _, ...record }: Channel) => record as Channel;
    await openForm();
    await close();
    await open(copyOf(news));
    await fill('Name', 'News of spring');
    await close();
    await open(copyOf(shop));
    expect(fieldOf('Name').value).toBe('Shop');
    await close();
    await open(copyOf(news));
    expect(fieldOf('Name').value).toBe('News of spring');
  });

  test('is not shown to another user who signs in', async () => {
    const page = await openForm();
    await fill('Name', 'Secret plan');
    await close();
    const store = useInstanceStore();
    store.account = { ...store.account, id: 2 } as typeof store.account;
    await open();
    expect(fieldOf('Name').value).toBe('');
    expect(page.text()).not.toContain('Restored your unsaved changes.');
  });

  test('stores no password', async () => {
    const form = () =>
      h(UserSlideover, {
        open: state.open,
        'onUpdate:open': (isOpen: boolean) => {
          state.open = isOpen;
        },
      });
    await openPage(() => h(UApp, form) as never, '/settings', {
      ...answers(),
      'GET /api/plans': { body: { error: 0, data: [] } },
    });
    await fill('Username', 'ada');
    await fill('Password', 'correct horse battery');
    await close();
    await open();
    expect(fieldOf('Username').value).toBe('ada');
    expect(fieldOf('Password').value).toBe('');
  });
});

describe('saving a form', () => {
  test('happens once, however often Ctrl+Enter is pressed, and leaves it empty', async () => {
    const page = await openForm();
    await fill('Name', 'News');
    for (let time = 0; time < 2; time += 1) {
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true }));
    }
    await settle();
    expect(sent(page).map(({ path, body }) => [path, body])).toEqual([
      ['/api/channel/add', { name: 'News' }],
    ]);
    expect(state.open).toBe(false);
    await open();
    expect(fieldOf('Name').value).toBe('');
  });

  test('sends nothing if nothing changed, and only the difference in an update', async () => {
    const page = await openForm();
    await close();
    await open(news);
    await press('Save');
    expect([state.open, sent(page)]).toEqual([false, []]);
    await open(news);
    await fill('Name', 'Latest');
    await press('Save');
    expect(sent(page).map(({ body }) => body)).toEqual([{ name: 'Latest' }]);
  });

  test('is not affected by reloading the list behind it', { tags: 'long' }, async () => {
    const page = await openForm();
    await close();
    await open(news);
    await fill('Name', 'Latest');
    state.channel = { ...news };
    await settle();
    expect(fieldOf('Name').value).toBe('Latest');
    expect(page.text()).not.toContain('Restored your unsaved changes.');
  });

  test('does not affect another record opened meanwhile', async () => {
    const page = await openForm();
    await close();
    await open(news);
    await fill('Name', 'Latest');
    page.answers['PUT /api/channel/1/update'] = () => {
      state.channel = shop;
      return { body: { error: 0, message: 'Saved.' } };
    };
    await press('Save');
    expect(sent(page).map(({ path }) => path)).toEqual(['/api/channel/1/update']);
    expect([state.open, fieldOf('Name').value]).toEqual([true, 'Shop']);
    await open(news);
    expect(page.text()).not.toContain('Restored your unsaved changes.');
  });
});

describe('a form whose record somebody else changed', () => {
  const numbered = { ...news, version: 4 };
  const theirs = {
    ...numbered,
    name: 'Latest',
    color: '#FF0000',
    version: 5,
    updated_by: { id: 9, name: 'Dana' },
  };
  const changed = {
    status: 409,
    body: { error: 1, message: 'Somebody has changed this.', code: 'changed', data: theirs },
  };

  test('shows both versions, asks where both changed a field, and saves on the new version', async () => {
    const page = await openForm();
    await close();
    await open(numbered);
    await fill('Name', 'Weekly');
    await fill('Description', 'Every Monday');
    page.answers['PUT /api/channel/1/update'] = changed;
    await press('Save');
    expect(page.text()).toContain('Dana changed this while you were editing.');
    expect([fieldOf('Name').value, fieldOf('Description').value]).toEqual(['Weekly', 'Every Monday']);
    expect(state.open).toBe(true);

    page.answers['PUT /api/channel/1/update'] = { body: { error: 0, message: 'Saved.', version: 6 } };
    await press('Save');
    expect(page.text()).toContain('Choose theirs or yours for each field, then save.');
    document.querySelectorAll<HTMLInputElement>('[data-field="name"] input')[0]?.click();
    await settle();
    expect(fieldOf('Name').value).toBe('Latest');
    await press('Save');
    expect(sent(page).map(({ body }) => body)).toEqual([
      { name: 'Weekly', description: 'Every Monday', version: 4 },
      { description: 'Every Monday', version: 5 },
    ]);
    expect(state.open).toBe(false);
  });

  test('keeps the input if the record is gone, and can create it again', async () => {
    const page = await openForm();
    await close();
    await open(numbered);
    await fill('Name', 'Weekly');
    page.answers['PUT /api/channel/1/update'] = {
      status: 404,
      body: { error: 1, message: 'Channel was not found.', code: 'not_found' },
    };
    await press('Save');
    expect(page.text()).toContain('Someone deleted this. What you typed is still here.');
    await press('Create it again');
    expect(sent(page).map(({ path, body }) => [path, body])).toEqual([
      ['/api/channel/1/update', { name: 'Weekly', version: 4 }],
      ['/api/channel/add', { name: 'Weekly' }],
    ]);
    expect(state.open).toBe(false);
  });

  test('asks about an earlier draft if somebody else changed the record since', async () => {
    const page = await openForm();
    await close();
    await open(numbered);
    await fill('Name', 'Weekly');
    await close();
    await open(theirs);
    expect(fieldOf('Name').value).toBe('Weekly');
    await press('Save');
    expect(page.text()).toContain('Choose theirs or yours for each field, then save.');
    document.querySelectorAll<HTMLInputElement>('[data-field="name"] input')[1]?.click();
    await settle();
    await press('Save');
    expect(sent(page).map(({ body }) => body)).toEqual([{ name: 'Weekly', version: 5 }]);
  });

  test('sends no version to a server without versions', { tags: 'long' }, async () => {
    const page = await openForm();
    await close();
    await open(news);
    await fill('Name', 'Latest');
    await press('Save');
    expect(sent(page).map(({ body }) => body)).toEqual([{ name: 'Latest' }]);
  });
});
