import { expect, test } from 'vitest';
import { desktopChoices } from '../../../main/storage/preferences.ts';
import { acceleratorOf } from '../../../renderer/operations/desktop-settings/accelerator.ts';

const none = { key: 'l', code: 'KeyL', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test.each([
  [{ ctrlKey: true }, false, 'CommandOrControl+L'],
  [{ ctrlKey: true, shiftKey: true }, false, 'CommandOrControl+Shift+L'],
  [{ metaKey: true }, false, 'Super+L'],
  [{ metaKey: true }, true, 'CommandOrControl+L'],
  [{ ctrlKey: true }, true, 'Control+L'],
  [{ ctrlKey: true, metaKey: true, altKey: true }, true, 'CommandOrControl+Control+Alt+L'],
  [{ shiftKey: true }, false, undefined],
  [{}, false, undefined],
])('keys pressed as %j on macOS (%s) are %s', (pressed, mac, accelerator) => {
  const recorded = acceleratorOf({ ...none, ...pressed }, mac);
  expect(recorded).toBe(accelerator);
  // What is recorded can be kept.
  if (recorded) expect(desktopChoices.shape.shortcut.parse(recorded)).toBe(recorded);
});

test.each(['Foo+Bar', 'L', 'Shift+L', 'Alt+Alt+L', 'Alt+', 'Alt+F25', 'alt+l'])(
  '%s is not a shortcut',
  (text) => {
    expect(desktopChoices.shape.shortcut.safeParse(text).success).toBe(false);
  },
);
