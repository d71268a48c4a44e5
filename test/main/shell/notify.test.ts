import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import { notifications } from '../../../main/shell/notify.ts';
import { memoryLog } from '../../support/desktop-parts.ts';

const system = vi.hoisted(() => ({
  isSupported: true,
  made: [] as { emit(name: string, ...args: unknown[]): void }[],
}));
vi.mock('electron', () => ({
  Notification: class extends EventEmitter {
    static isSupported = () => system.isSupported;
    constructor() {
      super();
      system.made.push(this);
    }
    show() {}
  },
}));
beforeEach(() => {
  system.isSupported = true;
  system.made.length = 0;
});

const notice = { title: 'Copied', body: 'https://example.com/a' };

test('a system without notifications is asked for none', () => {
  system.isSupported = false;
  notifications(() => {}, memoryLog())(notice);
  expect(system.made).toEqual([]);
});

test('a click brings the window, and a refusal is in the log with its reason', () => {
  const log = memoryLog();
  let clicks = 0;
  const notify = notifications(() => {
    clicks += 1;
  }, log);
  notify(notice);
  notify(notice);
  const [first, second] = system.made;
  first?.emit('click', {});
  second?.emit('failed', {}, 'not signed');
  expect(clicks).toBe(1);
  expect(log.lines.join()).toContain('not signed');
});
