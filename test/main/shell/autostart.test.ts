import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { autostart, autostartEntry } from '../../../main/shell/autostart.ts';
import { loginItem, programOf } from '../../../main/shell/login-item.ts';

const generator = '/usr/lib/systemd/user-generators/systemd-xdg-autostart-generator';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-autostart-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the entry that starts the app at sign-in says what it is, and asks for no window', () => {
  expect(autostartEntry('/opt/Waypost/waypost', ['--no-sandbox'])).toBe(
    [
      '[Desktop Entry]',
      'Type=Application',
      'Name=Waypost',
      'Exec="/opt/Waypost/waypost" --no-sandbox --hidden',
      'X-GNOME-Autostart-enabled=true',
      '',
    ].join('\n'),
  );
});

test('a path is quoted as an argument and then escaped as a text', () => {
  expect(autostartEntry('/opt/a "b" $c `d` e\\f')).toContain(
    'Exec="/opt/a \\\\"b\\\\" \\\\$c \\\\`d\\\\` e\\\\\\\\f" --hidden\n',
  );
  expect(autostartEntry('/opt/100%=all')).toContain(
    'Exec="/bin/sh" "-c" "exec \\\\"\\\\$0\\\\" \\\\"\\\\$@\\\\"" "/opt/100%%=all" --hidden\n',
  );
});

const oddNames = [
  'way post',
  "o'brien",
  '"quoted"',
  '$HOME',
  '`id`',
  '100%f %%',
  'a=b',
  'a;b#c',
  'é世',
  'a\nb\tc',
];

describe.runIf(process.platform === 'linux')('a desktop finds the program', () => {
  test.skipIf(!canRun('gio'))('and runs it (GLib, which GNOME and others read entries with)', async () => {
    for (const name of [...oddNames, 'back\\slash']) {
      const program = aProgram(name);
      const entry = join(folder, 'entry.desktop');
      writeFileSync(entry, autostartEntry(program));
      execFileSync('gio', ['launch', entry], { stdio: 'pipe' });
      await expect.poll(() => readIfThere(join(folder, 'ran'))).toBe(`${program}|--hidden|`);
      rmSync(join(folder, 'ran'));
    }
  });

  test.skipIf(!existsSync(generator))(
    'and makes a service of it (systemd, which KDE Plasma leaves it to)',
    () => {
      for (const name of oddNames) {
        const config = mkdtempSync(join(folder, 'config-'));
        const entry = autostart({ folder: join(config, 'autostart'), program: aProgram(name), switches: [] });
        entry.set(true);
        const services = join(config, 'services');
        mkdirSync(services);
        execFileSync(generator, [services, services, services], {
          env: { ...process.env, XDG_CONFIG_HOME: config, XDG_CONFIG_DIRS: join(config, 'none') },
          stdio: 'pipe',
        });
        const made = readdirSync(services).filter((file) => file.endsWith('.service'));
        expect([name, made]).toEqual([name, ['app-waypost@autostart.service']]);
      }
    },
  );
});

describe('the start at sign-in', () => {
  const at = () => join(folder, 'autostart', 'waypost.desktop');
  const of = (program: string) => autostart({ folder: dirname(at()), program, switches: [] });

  test('leads to the program again after it was moved', () => {
    of('/home/me/Downloads/Waypost.AppImage').set(true);
    of('/home/me/Apps/Waypost.AppImage').renew();
    expect(readFileSync(at(), 'utf8')).toBe(autostartEntry('/home/me/Apps/Waypost.AppImage'));
  });

  test('keeps what a person added to an entry that leads to the program', () => {
    const text = autostartEntry('/opt/waypost').replace('Exec=', 'Exec=env LANG=de ');
    of('/opt/waypost').set(true);
    writeFileSync(at(), text);
    of('/opt/waypost').renew();
    expect(readFileSync(at(), 'utf8')).toBe(text);
  });

  test('is not made by a start, and not switched on again after the desktop switched it off', () => {
    of('/opt/waypost').renew();
    expect(existsSync(at())).toBe(false);
    of('/opt/waypost').set(true);
    const entry = readFileSync(at(), 'utf8');
    for (const text of [entry.replace('enabled=true', 'enabled=false'), `${entry}Hidden=true\n`]) {
      writeFileSync(at(), text);
      expect(of('/opt/waypost').isSet()).toBe(false);
      of('/elsewhere/waypost').renew();
      expect(readFileSync(at(), 'utf8')).toBe(text);
    }
    of('/elsewhere/waypost').set(true);
    expect(readFileSync(at(), 'utf8')).toBe(autostartEntry('/elsewhere/waypost'));
  });

  test('is written over what lies in its place, and a folder there is refused', () => {
    mkdirSync(dirname(at()));
    const other = join(folder, 'of another program');
    writeFileSync(other, 'stays');
    symlinkSync(other, at());
    expect(of('/opt/waypost').isSet()).toBe(false);
    of('/opt/waypost').set(true);
    expect(readFileSync(other, 'utf8')).toBe('stays');
    of('/opt/waypost').set(false);
    mkdirSync(at());
    expect(() => of('/opt/waypost').set(true)).toThrow('cannot be changed');
    expect(of('/opt/waypost').isSet()).toBe(false);
  });
});

test('the file of an AppImage is started, but never that of another program', () => {
  const mounted = '/tmp/.mount_WaypoAbc';
  const image = '/home/me/Waypost.AppImage';
  expect(programOf({ APPIMAGE: image, APPDIR: mounted }, `${mounted}/waypost`)).toBe(image);
  expect(
    programOf({ APPIMAGE: '/home/me/Editor.AppImage', APPDIR: '/tmp/.mount_Editor' }, '/opt/Waypost/waypost'),
  ).toBe('/opt/Waypost/waypost');
  expect(programOf({}, '/opt/Waypost/waypost')).toBe('/opt/Waypost/waypost');
});

test.each(['darwin', 'linux', 'win32'] as const)('sources do not start at sign-in on %s', (platform) => {
  const app = {
    getLoginItemSettings: () => expect.unreachable('the system would start a bare Electron'),
    setLoginItemSettings: () => expect.unreachable('the system would start a bare Electron'),
    getPath: () => folder,
  };
  const login = loginItem({ app, platform, isPackaged: false, program: '/opt/electron', switches: [] });
  expect([login.isPossible, login.isSet()]).toEqual([false, false]);
  expect(() => login.set(true)).toThrow('Only an installed Waypost can start at sign-in.');
  login.renew();
  expect(readdirSync(folder)).toEqual([]);
});

/** A program in a folder and of a name that are hard to write down; it tells how it was started. */
function aProgram(name: string): string {
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  const program = join(place, name);
  const ran = join(folder, 'ran');
  writeFileSync(program, `#!/bin/sh\nprintf '%s|' "$0" "$@" > '${ran}.part' && mv '${ran}.part' '${ran}'\n`);
  chmodSync(program, 0o755);
  return program;
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function canRun(command: string): boolean {
  try {
    execFileSync(command, ['version'], { stdio: 'pipe' });
    return true;
  } catch {
    // It is not installed.
    return false;
  }
}
