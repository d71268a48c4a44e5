import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Notice, notifications } from '../../../main/shell/notify.ts';
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

test('a system without notifications is asked for none, and what they were to say is said elsewhere', () => {
  system.isSupported = false;
  const log = memoryLog();
  const missed: string[] = [];
  const onNotShown = ({ body }: Notice) => missed.push(body);
  notifications({ onClick() {}, onNotShown, log })(notice);
  expect(system.made).toEqual([]);
  expect(missed).toEqual([notice.body]);
  expect(log.lines.join()).toContain('the system shows no notifications');
});

test('a click brings the window, and a refusal is in the log with its reason and told elsewhere', () => {
  const log = memoryLog();
  let clicks = 0;
  const missed: string[] = [];
  const notify = notifications({
    onClick() {
      clicks += 1;
    },
    onNotShown: ({ title }) => missed.push(title),
    log,
  });
  notify(notice);
  notify(notice);
  const [first, second] = system.made;
  first?.emit('click', {});
  second?.emit('failed', {}, 'not signed');
  expect(clicks).toBe(1);
  expect(missed).toEqual(['Copied']);
  expect(log.lines.join()).toContain('not signed');
});
