import type { App, LoginItemSettings } from 'electron';
import { describe, expect, test } from 'vitest';
import { isStartAtLogin } from '../../../main/shell/login-item.ts';

describe('a start at sign-in', () => {
  test.each([true, false])(
    'is what macOS says it is (%s), whatever the arguments are',
    (wasOpenedAtLogin) => {
      const app = systemThatSays({ wasOpenedAtLogin });
      expect(isStartAtLogin(app, 'darwin', ['waypost'])).toBe(wasOpenedAtLogin);
      // Only a person passes this there: `args` of a login item is for Windows (Electron, app.setLoginItemSettings).
      expect(isStartAtLogin(app, 'darwin', ['waypost', '--hidden'])).toBe(wasOpenedAtLogin);
    },
  );

  test.each(['linux', 'win32'] as const)('is known by its argument on %s', (platform) => {
    // The property exists on macOS only.
    const app = systemThatSays({ wasOpenedAtLogin: true });
    expect(isStartAtLogin(app, platform, ['waypost', '--hidden'])).toBe(true);
    expect(isStartAtLogin(app, platform, ['waypost', '--hidden-thing'])).toBe(false);
    expect(isStartAtLogin(app, platform, ['waypost'])).toBe(false);
  });
});

function systemThatSays(says: Partial<LoginItemSettings>): Pick<App, 'getLoginItemSettings'> {
  return { getLoginItemSettings: () => says as LoginItemSettings };
}
