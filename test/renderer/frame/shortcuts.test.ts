import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EffectScope, effectScope } from 'vue';
import { listenForShortcuts, offeredShortcuts, useShortcuts } from '../../../renderer/ui/use-shortcuts.ts';

let scope: EffectScope;
let stop: () => void;

beforeEach(() => {
  scope = effectScope();
  stop = listenForShortcuts(document);
});
afterEach(() => {
  scope.stop();
  stop();
  document.body.replaceChildren();
});

function press(key: string, options: KeyboardEventInit = {}, target: Element = document.body): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options });
  target.dispatchEvent(event);
  return event;
}

function offer(keys: string, enabled = true) {
  const run = vi.fn();
  scope.run(() => useShortcuts(() => [{ keys, label: keys, run, enabled }]));
  return run;
}

describe('a shortcut', () => {
  it('runs on its key', () => {
    const run = offer('c');
    expect(press('c').defaultPrevented).toBe(true);
    expect(run).toHaveBeenCalledOnce();
  });

  it('of two keys runs if both are pressed in a row, without another in between', () => {
    const go = offer('g l');
    press('l');
    press('g');
    press('x');
    press('l');
    expect(go).not.toHaveBeenCalled();
    press('g');
    press('l');
    expect(go).toHaveBeenCalledOnce();
  });

  it('of two keys takes precedence over that of its second key', () => {
    const single = offer('l');
    const pair = offer('g l');
    press('g');
    press('l');
    expect(pair).toHaveBeenCalledOnce();
    expect(single).not.toHaveBeenCalled();
  });

  it('is inactive in fields, with modifiers and during text composition', () => {
    const run = offer('c');
    const field = document.createElement('input');
    document.body.append(field);
    press('c', {}, field);
    press('c', { ctrlKey: true });
    press('c', { metaKey: true });
    press('c', { isComposing: true });
    expect(run).not.toHaveBeenCalled();
  });

  it('works while a checkbox has the focus', () => {
    const run = offer('x');
    const box = document.createElement('input');
    box.type = 'checkbox';
    document.body.append(box);
    press('x', {}, box);
    expect(run).toHaveBeenCalledOnce();
  });

  it('is inactive while a dialog is open', () => {
    const run = offer('c');
    const dialog = document.createElement('div');
    dialog.setAttribute('role', 'dialog');
    dialog.dataset.state = 'open';
    document.body.append(dialog);
    press('c');
    expect(run).not.toHaveBeenCalled();
  });

  it("of the current page takes precedence over the layout's", () => {
    const frame = offer('/');
    const page = offer('/');
    press('/');
    expect(page).toHaveBeenCalledOnce();
    expect(frame).not.toHaveBeenCalled();
  });

  it('works on a keyboard without Latin letters', () => {
    const run = offer('c');
    press('с', { code: 'KeyC' });
    expect(run).toHaveBeenCalledOnce();
  });

  it('ends with its component, and is hidden while disabled', () => {
    offer('c');
    offer('d', false);
    expect(offeredShortcuts().map((shortcut) => shortcut.keys)).toEqual(['c']);
    scope.stop();
    expect(offeredShortcuts()).toEqual([]);
  });
});
