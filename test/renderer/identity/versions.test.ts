import { afterEach, describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../preload/contract.ts';
import App from '../../../renderer/App.vue';
import { storedTokens } from '../../../renderer/api/session-token.ts';
import { type Answers, account, fieldOf, fill, meta, openPage, press } from '../page.ts';

const changed = (data: object) => ({
  status: 409,
  body: { error: 1, code: 'changed', message: 'Somebody else changed this.', data },
});

/** Ada, in her own account. */
function openAs(path: string, answers: Answers) {
  storedTokens(localStorage).write('local', 'the-token');
  const described = meta(false);
  described.body.data.features.push('teams', 'sso');
  return openPage(App, path, { 'GET /api/meta': described, ...answers });
}
const bodyOf = (request: ApiRequest | undefined) => request?.body as Record<string, unknown> | undefined;
const updates = (requests: readonly ApiRequest[]) =>
  requests.filter(({ path }) => path === '/api/account/update');
const versionOf = (request: ApiRequest | undefined) => bodyOf(request)?.version;

afterEach(() => localStorage.clear());

describe('the account forms', () => {
  it('save the input on top of changes made elsewhere', async () => {
    let now = { ...account, version: 3 };
    const { requests } = await openAs('/settings/profile', {
      'GET /api/account': () => ({ body: { error: 0, data: now } }),
      'PUT /api/account/update': (request) => {
        if (versionOf(request) !== now.version) return changed(now);
        return { body: { error: 0, message: 'Saved.', version: now.version } };
      },
    });
    await fill('Name', 'Ada King');
    now = { ...now, email: 'ada@elsewhere.example', version: 4 };
    await press('Save');
    await expect.poll(() => updates(requests).map(versionOf)).toEqual([3, 4]);
    // The email of elsewhere is not written back.
    expect(bodyOf(updates(requests).at(-1))).toEqual({ name: 'Ada King', version: 4 });
  });

  it('ask before overwriting a field that was also changed elsewhere', async () => {
    let now = { ...account, version: 3 };
    const { requests } = await openAs('/settings/profile', {
      'GET /api/account': () => ({ body: { error: 0, data: now } }),
      'PUT /api/account/update': (request) =>
        versionOf(request) === now.version ? { body: { error: 0, message: 'Saved.' } } : changed(now),
    });
    await fill('Name', 'Ada King');
    now = { ...now, name: 'Countess of Lovelace', version: 4 };
    await press('Save');
    await expect.poll(() => document.body.textContent).toContain('Somebody else changed this.');
    expect(updates(requests)).toHaveLength(1);
    expect(fieldOf('Name').value).toBe('Ada King');
    await press('Save');
    await expect.poll(() => updates(requests).map(versionOf)).toEqual([3, 4]);
  });
});
