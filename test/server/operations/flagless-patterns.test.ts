import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flagless } from '../../../server/operations/instance/flagless-patterns.ts';

test.each([
  [/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, '#aB3Fe9'],
  [/^(?=.*[a-z])[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'Go.EXAMPLE.com'],
  [/^https?:\/\/[^/?#@\s]+\/?$/i, 'HTTPS://go.example.com/'],
  [/^[A-Z]\d\w$/i, 'q7_'],
])('%s means the same without its flag', (pattern, fitting) => {
  const plain = new RegExp(flagless(pattern) as string, 'u');
  expect(plain.test(fitting)).toBe(true);
  const words = fc.oneof(
    fc.string(),
    fc.mixedCase(fc.constantFrom(fitting, fitting.slice(1), `${fitting}.`, fitting.replace(/\W/, 'k'))),
  );
  fc.assert(fc.property(words, (text) => plain.test(text) === pattern.test(text)));
});

test('control characters are written as numbers, and letters of all scripts are left to the server', () => {
  const noControl = new RegExp(flagless(/^[^\p{Cc}]*$/u) as string);
  expect(['Grüße 世界', 'a\u0007b', 'a\u0085b'].map((text) => noControl.test(text))).toEqual([
    true,
    false,
    false,
  ]);
  expect(flagless(/^[\p{L}]+$/u)).toBeUndefined();
});
