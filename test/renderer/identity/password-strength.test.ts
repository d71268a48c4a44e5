import { describe, expect, it } from 'vitest';
import { newPassword, passwordStrength } from '../../../renderer/identity/session/password-strength.ts';

describe('the strength of a password', () => {
  it.each([
    ['', 'short'],
    ['aB3$xY7', 'short'],
    ['password', 'common'],
    ['P4ssw0rd!', 'common'],
    ['Welcome2026!', 'common'],
    ['qwertyuiop', 'weak'],
    ['12345678', 'common'],
    ['aaaaaaaaaaaa', 'common'],
    ['abcabcabcabc', 'common'],
    ['summerwinter', 'weak'],
    ['tK8#mQ2v', 'fair'],
    ['marble otter lamp fiddle', 'strong'],
    ['k7Rw-vQ9x-2mNp-tZ4h', 'strong'],
  ] as const)('%j is %s', (password, strength) => {
    expect(passwordStrength(password)).toBe(strength);
  });

  it("takes the user's own words into account", () => {
    expect(passwordStrength('lovelace99!x', ['Ada Lovelace', 'ada@example.com'])).toBe('personal');
  });
});

describe('a generated password', () => {
  it('is strong, and never the same', () => {
    const made = new Set(Array.from({ length: 200 }, () => newPassword()));
    expect(made.size).toBe(200);
    for (const password of made) {
      expect(password).toMatch(/^[a-zA-Z2-9]{5}(-[a-zA-Z2-9]{5}){3}$/);
      expect(password).not.toMatch(/[lIO01io]/);
      expect(passwordStrength(password)).toBe('strong');
    }
  });
});
