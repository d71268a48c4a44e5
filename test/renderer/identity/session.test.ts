import UApp from '@nuxt/ui/components/App.vue';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { h } from 'vue';
import App from '../../../renderer/App.vue';
import { useConnectionStore } from '../../../renderer/api/connection.ts';
import { ApiFailure } from '../../../renderer/api/failure.ts';
import { useRateWait } from '../../../renderer/api/rate-wait.ts';
import { useSessionStore } from '../../../renderer/identity/session/session.ts';
import SetupPage from '../../../renderer/operations/setup/SetupPage.vue';
import { account, fieldOf, fill, meta, openPage, type Page, press, settle } from '../page.ts';

const signedIn = {
  body: {
    error: 0,
    message: 'Signed in.',
    data: { token: 'the-token', expires: '2026-12-31 00:00:00', account },
  },
};
const emptyPage = { result: 0, perpage: 15, currentpage: 1, nextpage: null, maxpage: 1 };
const emptyApp = {
  'GET /api/meta': meta(false),
  'GET /api/account': { body: { error: 0, data: account } },
  'GET /api/urls': { body: { error: 0, data: { ...emptyPage, urls: [] } } },
};

/** Pages load when they are needed: waits until the router is there. */
async function arrival(page: Page, what: 'name' | 'fullPath', value: string): Promise<void> {
  await expect.poll(() => page.router.currentRoute.value[what], { timeout: 10_000 }).toBe(value);
}

async function fillSetUp(): Promise<void> {
  await fill('Name', 'Ada Lovelace');
  await fill('Username', 'ada');
  await fill('Email', 'ada@example.com');
  await fill('Password', 'marble otter lamp fiddle');
}

afterEach(() => void vi.unstubAllGlobals());

it('a session that the key store withholds is waited for, and can be replaced', async () => {
  localStorage.setItem('waypost:local:token', 'kept');
  const locked = () => {
    throw new ApiFailure('locked', 'The key store is locked.', { code: 'key_store_locked' });
  };
  const page = await openPage(App, '/links', { ...emptyApp, 'GET /api/account': locked });
  await expect.poll(() => page.text()).toContain('Your sign-in is locked');
  expect(page.text()).toContain('The key store is locked.');
  await press('Sign in instead');
  await arrival(page, 'name', 'sign-in');
  expect(localStorage.getItem('waypost:local:token')).toBe('kept');
});

it('a session that the key store cannot decrypt is kept until another replaces it', async () => {
  localStorage.setItem('waypost:local:token', 'kept');
  const foreign = () => {
    throw new ApiFailure('locked', 'It is from another computer.', { code: 'key_store_foreign' });
  };
  const page = await openPage(App, '/links', { ...emptyApp, 'GET /api/account': foreign });
  await expect.poll(() => page.text()).toContain('Your sign-in can’t be opened');
  expect(page.text()).toContain('It is from another computer.');
  expect(page.text()).not.toContain('Try again');
  await press('Sign in again');
  await arrival(page, 'name', 'sign-in');
  expect(localStorage.getItem('waypost:local:token')).toBe('kept');
});

describe('the first run', () => {
  it('creates the account, shows the key once, and continues signed in', async () => {
    const page = await openPage(App, '/links', {
      'GET /api/meta': meta(true),
      'POST /api/setup': { body: { error: 0, message: 'Done.', data: { api_key: 'wp_secret', account } } },
      'POST /api/auth/login': signedIn,
    });
    await arrival(page, 'name', 'setup');
    await fillSetUp();
    await press('Create account');
    expect(page.requests.find((request) => request.path === '/api/setup')?.body).toEqual({
      timezone: 'UTC',
      language: 'en',
      email: 'ada@example.com',
      username: 'ada',
      password: 'marble otter lamp fiddle',
      name: 'Ada Lovelace',
    });
    const folded = document.querySelector('[aria-expanded="false"]');
    expect(folded?.textContent).toContain('API key');
    expect(document.activeElement?.textContent).toContain('Continue');
    expect(page.text()).toContain('wp_secret');
    expect(page.text()).toContain('curl ');
    expect(localStorage.getItem('waypost:local:token')).toBe('the-token');
    await press('Continue');
    await arrival(page, 'name', 'overview');
    expect(page.text()).not.toContain('wp_secret');
  });

  it('asks for the set-up code if the server requires it', async () => {
    const page = await openPage(App, '/', {
      'GET /api/meta': meta(true),
      'POST /api/setup': {
        status: 403,
        body: {
          error: 1,
          message: 'Enter the set-up code.',
          code: 'setup_code_required',
          field: 'setupcode',
        },
      },
    });
    await fillSetUp();
    expect(() => fieldOf('Set-up code')).toThrow();
    await press('Create account');
    expect(page.text()).not.toContain('Wrong set-up code.');
    expect(document.activeElement).toBe(fieldOf('Set-up code'));
    await fill('Set-up code', 'ABC123');
    await press('Create account');
    expect(page.requests.at(-1)?.body).toMatchObject({ setupcode: 'ABC123' });
    expect(page.text()).toContain('Wrong set-up code.');
  });

  it('suggests a username from the name until another one is chosen', async () => {
    await openPage(App, '/', { 'GET /api/meta': meta(true) });
    await fill('Name', 'Ada');
    await fill('Name', 'Ada O’Lovelace-Śmith ');
    expect(fieldOf('Username').value).toBe('ada.olovelace-śmith');
    // No valid username can be made of this one.
    await fill('Name', '“”');
    expect(fieldOf('Username').value).toBe('');
    await fill('Name', 'Ada Lovelace');
    await fill('Username', 'countess');
    await fill('Name', 'Ada King');
    expect(fieldOf('Username').value).toBe('countess');
  });

  it('takes the set-up code from the URL that the server prints', async () => {
    const page = await openPage(App, '/setup#code=ABC123', {
      'GET /api/meta': meta(true),
      'POST /api/setup': { body: { error: 0, message: 'Done.', data: { api_key: 'wp_secret', account } } },
    });
    await fillSetUp();
    expect(() => fieldOf('Set-up code')).toThrow();
    await press('Create account');
    const sent = page.requests.find(({ path }) => path === '/api/setup');
    expect(sent?.body).toMatchObject({ setupcode: 'ABC123' });
    expect(page.text()).toContain('wp_secret');
  });

  it('reports errors beside the field, before and after asking the server', async () => {
    const page = await openPage(App, '/', {
      'GET /api/meta': meta(true),
      'POST /api/setup': {
        status: 400,
        body: { error: 1, message: 'That name is reserved.', code: 'reserved', field: 'username' },
      },
    });
    fieldOf('Email').focus();
    fieldOf('Email').blur();
    await settle();
    // A message now would move the button away from a pointer that is pressing it.
    expect(page.text()).not.toContain('Enter an email address');
    await press('Create account');
    expect(page.text()).toContain('Use at least 8 characters.');
    expect(page.requests.some((request) => request.path === '/api/setup')).toBe(false);
    await fillSetUp();
    await press('Create account');
    expect(page.text()).toContain('That name is reserved.');
  });

  it('on the desktop waits for the suggestion if somebody is quicker', async () => {
    const suggestion = Promise.withResolvers<object>();
    vi.stubGlobal('desktop', { suggestedProfile: () => suggestion.promise });
    const page = await openPage(() => h(UApp, () => h(SetupPage)), '/', {
      'GET /api/meta': meta(true),
      'POST /api/setup': { body: { error: 0, message: 'Done.', data: { api_key: 'wp_secret', account } } },
    });
    await press('Create account');
    expect(page.text()).not.toContain('Required.');
    suggestion.resolve({ name: 'Ada', username: 'ada', email: 'ada@example.com' });
    await settle();
    expect(page.requests.at(-1)).toMatchObject({ path: '/api/setup', body: { username: 'ada' } });
    expect(page.text()).toContain('wp_secret');
  });

  it('generates a strong password with one click', async () => {
    await openPage(App, '/', { 'GET /api/meta': meta(true) });
    await press('Generate');
    const password = fieldOf('Password');
    // The Tab key leads from the email to the password, and only then to the button.
    const controls = [...(password.form?.querySelectorAll('input, button') ?? [])];
    expect(controls.indexOf(password)).toBe(controls.indexOf(fieldOf('Email')) + 1);
    expect(fieldOf('Password').value).toMatch(/^.{5}-.{5}-.{5}-.{5}$/);
    expect(fieldOf('Password').type).toBe('text');
    expect(document.body.textContent).toContain('Strong');
  });
});

describe('signing in', () => {
  it('returns to the requested page', async () => {
    const page = await openPage(App, '/settings?x=1', { ...emptyApp, 'POST /api/auth/login': signedIn });
    await arrival(page, 'name', 'sign-in');
    await fill('Email or username', 'ada');
    await fill('Password', 'marble otter lamp fiddle');
    await press('Sign in');
    await arrival(page, 'fullPath', '/settings?x=1');
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)'])(
    'never redirects to %s',
    async (target) => {
      const page = await openPage(App, `/sign-in?return=${encodeURIComponent(target)}`, {
        ...emptyApp,
        'POST /api/auth/login': signedIn,
      });
      await fill('Email or username', 'ada');
      await fill('Password', 'marble otter lamp fiddle');
      await press('Sign in');
      await arrival(page, 'name', 'overview');
    },
  );

  it('asks for the second factor if the server requires it', async () => {
    const page = await openPage(App, '/', {
      ...emptyApp,
      'POST /api/auth/login': (request) =>
        (request.body as { code?: string }).code === '123456'
          ? signedIn
          : { status: 401, body: { error: 1, message: 'Enter the code.', code: 'code_required' } },
    });
    await fill('Email or username', 'ada');
    await fill('Password', 'marble otter lamp fiddle');
    await press('Sign in');
    expect(document.activeElement).toBe(fieldOf('Code'));
    // A phone's pad of digits could not write a recovery code.
    expect(fieldOf('Code').getAttribute('inputmode')).not.toBe('numeric');
    await fill('Code', '123 456');
    await press('Verify');
    await arrival(page, 'name', 'overview');
  });

  it('reports a wrong password and stays', async () => {
    const page = await openPage(App, '/', {
      ...emptyApp,
      'POST /api/auth/login': {
        status: 401,
        body: { error: 1, message: 'Wrong password.', code: 'wrong_login' },
      },
    });
    await fill('Email or username', 'ada');
    await fill('Password', 'wrong');
    await press('Sign in');
    expect(page.text()).toContain('Wrong password.');
    await arrival(page, 'name', 'sign-in');
  });

  it('says how long to wait after too many attempts', async () => {
    const page = await openPage(App, '/', {
      ...emptyApp,
      'POST /api/auth/login': {
        status: 429,
        headers: { 'retry-after': '840' },
        body: { error: 1, message: 'Too many attempts.', code: 'locked' },
      },
    });
    await fill('Email or username', 'ada');
    await fill('Password', 'wrong');
    await press('Sign in');
    expect(page.text()).toContain('Too many attempts. Try again in 14 minutes.');
  });
});

const refusedKey = {
  status: 401,
  body: { error: 1, message: 'Sign in again.', code: 'unauthorized' },
};

describe('a session', () => {
  it.each([
    ['of before leads to sign-in at once', false, 'sign-in'],
    ['of before does not stand in the way of the first account', true, 'setup'],
  ])('%s', async (_name, isFresh, place) => {
    localStorage.setItem('waypost:local:token', 'old');
    const page = await openPage(App, '/links', {
      'GET /api/meta': meta(isFresh),
      'GET /api/account': refusedKey,
    });
    await arrival(page, 'name', place);
  });

  it('unknown to the server leads to sign-in and leaves nothing behind', async () => {
    localStorage.setItem('waypost:local:token', 'old');
    const page = await openPage(App, '/settings', emptyApp);
    await arrival(page, 'name', 'settings');
    useSessionStore().endSession();
    await settle();
    await arrival(page, 'fullPath', '/sign-in?return=/settings');
    expect(localStorage.getItem('waypost:local:token')).toBeNull();
    expect(page.text()).not.toContain('ada@example.com');
  });

  it('ends when signing out, even if the server is unreachable', async () => {
    localStorage.setItem('waypost:local:token', 'old');
    const page = await openPage(App, '/settings', { ...emptyApp, 'POST /api/auth/logout': 'unreachable' });
    await useSessionStore().signOutHere();
    await settle();
    await arrival(page, 'name', 'sign-in');
  });
});

it('shows the requested waiting time before there is a page', async () => {
  localStorage.setItem('waypost:local:token', 'kept');
  const limited = {
    status: 429,
    headers: { 'retry-after': '30' },
    body: { error: 1, message: 'Slow down.' },
  };
  const opening = openPage(App, '/links', { ...emptyApp, 'GET /api/account': limited });
  await expect.poll(() => document.body.textContent).toMatch(/Too many requests\. Continuing in \d+ s\./);
  useRateWait().cancel();
  const page = await opening;
  await expect.poll(() => page.text()).toContain('Try again');
});

describe('a server that is unreachable at the start', () => {
  it('is waited for, and the page continues by itself', async () => {
    localStorage.setItem('waypost:local:token', 'good');
    const page = await openPage(App, '/settings', {
      ...emptyApp,
      'GET /api/meta': 'unreachable',
      'GET /api/health': { body: { error: 0 } },
    });
    await expect.poll(page.text).toContain('The server isn’t responding yet.');
    page.answers['GET /api/meta'] = meta(false);
    useConnectionStore().lookNow();
    await settle();
    await arrival(page, 'name', 'settings');
    expect(page.text()).toContain('Ada Lovelace');
  });
});
