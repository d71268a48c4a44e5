import { describe, expect, test } from 'vitest';
import { isExposed, originOf } from '../../../renderer/network/instances/instance-address.ts';

describe('the server address that a person types', () => {
  test.each([
    ['links.example.com', 'https://links.example.com'],
    ['  links.example.com/admin/links?a=1 ', 'https://links.example.com'],
    ['HTTPS://Links.Example.com:443', 'https://links.example.com'],
    ['http://links.example.com', 'http://links.example.com'],
    ['links.example.com:8443', 'https://links.example.com:8443'],
    ['localhost:8420', 'http://localhost:8420'],
    ['127.0.0.1:8420/admin', 'http://127.0.0.1:8420'],
    ['localhost.example', 'https://localhost.example'],
    ['192.168.1.20:8443', 'https://192.168.1.20:8443'],
    ['office.local', 'https://office.local'],
    ['[::1]:8420', 'http://[::1]:8420'],
    ['https://192.168.1.20', 'https://192.168.1.20'],
  ])('%j is %s', (typed, origin) => {
    expect(originOf(typed)).toBe(origin);
  });

  test.each([
    '',
    '   ',
    'two words',
    'ftp://x.example',
    'javascript://x',
    'https://',
    'https://user:secret@x.example',
  ])('%j is invalid', (typed) => {
    expect(originOf(typed)).toBeUndefined();
  });
});

test.each([
  ['http://192.168.1.20:8420', true],
  ['http://links.example.com', true],
  ['http://localhost:8420', false],
  ['http://127.0.0.1:8420', false],
  ['http://[::1]', false],
  ['https://links.example.com', false],
])('a key sent to %s is exposed: %s', (origin, exposed) => {
  expect(isExposed(origin)).toBe(exposed);
});
