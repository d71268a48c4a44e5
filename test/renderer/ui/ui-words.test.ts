import { describe, expect, it } from 'vitest';
import { pastedAddress, readableAddress, safeAddress } from '../../../renderer/ui/addresses.ts';
import { instantOf, relativeTime } from '../../../renderer/ui/timestamps.ts';

describe('an address', () => {
  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//example.com',
    'not an address',
    '',
  ])('%j never becomes a link', (text) => {
    expect(safeAddress(text)).toBeUndefined();
  });

  it('becomes a link if it is http or https', () => {
    expect(safeAddress('https://example.com/a b')).toBe('https://example.com/a%20b');
  });

  it('is shown without the redundant parts', () => {
    expect(readableAddress('https://www.example.com/')).toBe('example.com');
    expect(readableAddress('http://127.0.0.1:8420/x')).toBe('127.0.0.1:8420/x');
    expect(readableAddress('https://example.com/gr%C3%BCn?q=100%25')).toBe('example.com/grün?q=100%');
  });

  it('keeps invisible and direction-changing characters encoded', () => {
    for (const text of [
      'example.com/%E2%80%AEgnp.exe',
      'example.com/a%20b',
      'example.com/%00',
      'example.com/%',
    ]) {
      expect(readableAddress(`https://${text}`)).toBe(text);
    }
  });

  it.each([
    ['https://example.com/x', 'https://example.com/x'],
    ['  example.com/x?y=1 \n', 'https://example.com/x?y=1'],
    ['sub.example.co.uk', 'https://sub.example.co.uk/'],
    ['hello', undefined],
    ['version 1.2', undefined],
    ['1.5', undefined],
    ['two https://example.com words', undefined],
    ['javascript:alert(1)', undefined],
    ['mailto:ada@example.com', undefined],
    ['ada@example.com', undefined],
    [`https://example.com/${'x'.repeat(9000)}`, undefined],
    ['https://example.com/Shared files/Menu 2.pdf', 'https://example.com/Shared%20files/Menu%202.pdf'],
    ['https://exam ple.com/', undefined],
    ['https://example.com/1 https://example.com/2', undefined],
    ['https://example.com/1\tMenu', undefined],
  ])('pasted as %j is %j', (text, address) => {
    expect(pastedAddress(text)).toBe(address);
  });
});

describe('a timestamp', () => {
  it.each([
    ['2026-01-15 12:00:00', 'UTC', '2026-01-15T12:00:00.000Z'],
    ['2026-01-15 12:00:00', 'Europe/Berlin', '2026-01-15T11:00:00.000Z'],
    ['2026-07-15 12:00:00', 'Europe/Berlin', '2026-07-15T10:00:00.000Z'],
    ['2026-03-29 03:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-07-15 12:00:00', 'Asia/Kolkata', '2026-07-15T06:30:00.000Z'],
    ['2026-01-01 00:00:00', 'Pacific/Auckland', '2025-12-31T11:00:00.000Z'],
  ])('%s in %s is the instant %s', (timestamp, zone, instant) => {
    expect(instantOf(timestamp, zone)?.toISOString()).toBe(instant);
  });

  it('an invalid timestamp has no instant', () => {
    expect(instantOf('yesterday', 'UTC')).toBeUndefined();
    expect(instantOf('2026-01-15 12:00:00', 'Mars/Olympus')).toBeUndefined();
  });

  it.each([
    [10, 'now'],
    [-10, 'now'],
    [-50, '1 minute ago'],
    [-3 * 60, '3 minutes ago'],
    [-58 * 60, '1 hour ago'],
    [-86_400, 'yesterday'],
    [-20 * 86_400, '3 weeks ago'],
    [3 * 86_400, 'in 3 days'],
    [-400 * 86_400, 'last year'],
  ])('a time %d seconds away reads %j', (seconds, text) => {
    const now = Date.UTC(2026, 5, 1);
    expect(relativeTime(new Date(now + seconds * 1000), now, 'en')).toBe(text);
  });
});
