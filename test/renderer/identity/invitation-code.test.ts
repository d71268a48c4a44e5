import { expect, test } from 'vitest';
import { codeOf, invitationIn, isSameServer } from '../../../renderer/identity/teams/invitation-code.ts';
import { isOfThisComputer } from '../../../renderer/ui/addresses.ts';

test('a code is accepted alone or in its link', () => {
  expect(codeOf(' abc_DEF-1 ')).toBe('abc_DEF-1');
  expect(codeOf('https://go.example.com/admin/join#abc')).toBe('abc');
  expect(codeOf('https://go.example.com/admin/join#a b')).toBe('');
});

test('an invitation link names its server and page', () => {
  expect(invitationIn(' https://192.168.1.20:8443/admin/join#abc ')).toEqual({
    origin: 'https://192.168.1.20:8443',
    path: '/join#abc',
  });
  expect(invitationIn('http://localhost:8420/admin/register#abc')?.path).toBe('/register#abc');
  for (const other of [
    'abc',
    'https://go.example.com',
    'https://go.example.com/admin/join',
    'https://go.example.com/admin/links#abc',
    'https://go.example.com/x/admin/join#abc',
    'javascript://go.example.com/admin/join#abc',
  ])
    expect(invitationIn(other), other).toBeUndefined();
});

test('an address of this computer is useless elsewhere', () => {
  for (const origin of [
    'http://localhost:8420',
    'http://127.0.0.1:8420',
    'http://[::1]:8420',
    'https://localhost',
  ])
    expect(isOfThisComputer(`${origin}/admin/join#c`), origin).toBe(true);
  for (const origin of [
    'http://192.168.1.20:8420',
    'https://localhost.example.com',
    'https://go.example.com',
  ])
    expect(isOfThisComputer(`${origin}/admin/join#c`), origin).toBe(false);
});

test('a server has several names on its own computer, and one elsewhere', () => {
  expect(isSameServer('http://localhost:8420', 'http://127.0.0.1:8420')).toBe(true);
  expect(isSameServer('http://localhost:8420', 'http://localhost:8421')).toBe(false);
  expect(isSameServer('https://go.example.com', 'https://go.example.com')).toBe(true);
  expect(isSameServer('https://go.example.com', 'https://localhost')).toBe(false);
  // The desktop's own server has no address while it starts.
  expect(isSameServer('http://localhost:8420', '')).toBe(false);
});
