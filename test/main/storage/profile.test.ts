import { userInfo } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { profileOf, suggestedProfile } from '../../../main/storage/profile.ts';
import { email, plainLine, username } from '../../../server/contract/sessions.ts';

describe('the profile that the first run suggests', () => {
  test.each([
    [
      'anna',
      'Anna Beispiel',
      { name: 'Anna Beispiel', username: 'anna', email: 'anna@localhost.localdomain' },
    ],
    ['OFFICE\\j.doe', '', { name: 'j.doe', username: 'j.doe', email: 'j.doe@localhost.localdomain' }],
    [
      'Zoë Müller',
      '',
      { name: 'Zoë-Müller', username: 'Zoë-Müller', email: 'zoe-muller@localhost.localdomain' },
    ],
    ['李', '', { name: 'owner', username: 'owner', email: 'owner@localhost.localdomain' }],
    ['李小龙', ' 李 小龙 ', { name: '李 小龙', username: '李小龙', email: 'owner@localhost.localdomain' }],
    ['', '', { name: 'owner', username: 'owner', email: 'owner@localhost.localdomain' }],
    ['a..b', '', { name: 'a..b', username: 'a..b', email: 'a.b@localhost.localdomain' }],
  ])('for %j, %j fits', (login, full, profile) => {
    expect(profileOf(login, full)).toEqual(profile);
  });

  test('is accepted by the server as it is, whatever the system says', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[\w.\- \\@]{0,80}$/),
    );
    fc.assert(
      fc.property(text, text, (login, full) => {
        const profile = profileOf(login, full);
        expect(username.parse(profile.username)).toBe(profile.username);
        expect(email.parse(profile.email)).toBe(profile.email);
        plainLine(120).parse(profile.name);
      }),
      { numRuns: 2_000 },
    );
  });

  test('comes from this system', async () => {
    const profile = await suggestedProfile();
    const login = userInfo().username;
    if (/^[a-z]{2,}$/.test(login)) expect(profile.username).toBe(login);
    expect(email.safeParse(profile.email).success).toBe(true);
  });
});
