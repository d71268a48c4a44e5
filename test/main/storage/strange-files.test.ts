// Every document that the desktop keeps, with everything in its place that a crash, a newer version or a stranger may
// leave.
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appFiles } from '../../../main/storage/app-files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-strange-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Each file in the form of this version. */
const documents = {
  'preferences.json': { port: 8421, shortcut: 'Alt+Shift+K', notifications: false },
  'instances.json': {
    remotes: [{ id: 'a', name: 'Work', color: 'blue', origin: 'https://a.example' }],
    current: 'a',
  },
  'keys.json': { 'https://a.example': { plain: 'wp_kept' } },
};
type Name = keyof typeof documents;
const names = Object.keys(documents) as Name[];

const damages: [string, (path: string, whole: string) => void][] = [
  ['nothing', (path) => writeFileSync(path, '')],
  ['half of it', (path, whole) => writeFileSync(path, whole.slice(0, whole.length / 2))],
  ['bytes of any kind', (path) => writeFileSync(path, randomBytes(3_000))],
  ['zeros', (path) => writeFileSync(path, Buffer.alloc(4_096))],
  ['a list', (path) => writeFileSync(path, '[]')],
  ['null', (path) => writeFileSync(path, 'null')],
  ['a number', (path) => writeFileSync(path, '7')],
  ['ten megabytes', (path, whole) => writeFileSync(path, whole + ' '.repeat(10_000_000))],
  ['a folder', (path) => mkdirSync(join(path, 'inside'), { recursive: true })],
];
// Reading it fails, for the administrator as well.
if (process.platform === 'linux')
  damages.push(['what cannot be read', (path) => symlinkSync('/proc/self/mem', path)]);

const open = () => appFiles(folder, () => new Date('2026-01-02T03:04:05Z'));

describe.each(names)('%s', (name) => {
  const kind = (
    { 'preferences.json': 'preferences', 'instances.json': 'instances', 'keys.json': 'keys' } as const
  )[name];

  test.each(damages)(
    'with %s in its place is put aside and told once, and can be written again',
    async (_, damage) => {
      const path = join(folder, name);
      damage(path, JSON.stringify(documents[name]));
      const files = open();
      const [told, ...others] = files.findDamages();
      expect(told).toContain(path);
      expect(told).toContain(`moved to ${name}.damaged`);
      expect(others).toEqual([]);
      expect(lstatSync(`${path}.damaged`)).toBeDefined();
      // What was never read is not what the app begins with.
      expect(JSON.stringify(files[kind].read())).not.toContain('a.example');
      files[kind].write(documents[name] as never);
      await files.log.flush();
      const next = open();
      expect(next.findDamages()).toEqual([]);
      expect(next[kind].read()).toEqual(documents[name]);
      await next.log.flush();
    },
  );

  test('with nothing chosen in it, or as another system writes it, needs no word', async () => {
    const path = join(folder, name);
    const texts = [`\uFEFF${JSON.stringify(documents[name], null, 4).replaceAll('\n', '\r\n')}`];
    if (name !== 'instances.json') texts.push('{}');
    for (const text of texts) {
      writeFileSync(path, text);
      const files = open();
      expect(files.findDamages()).toEqual([]);
      await files.log.flush();
    }
    expect(readdirSync(folder).filter((found) => found.includes('damaged'))).toEqual([]);
  });
});

test.each(['Foo+Bar', 'K', 'Shift+K', 'Alt+Alt+K', 'Alt+', 'CommandOrControl+F25'])(
  'the shortcut %s, which Electron throws on or which keeps people from typing, is put aside and told',
  async (shortcut) => {
    const path = join(folder, 'preferences.json');
    writeFileSync(path, JSON.stringify({ port: 8421, shortcut }));
    const files = open();
    expect(files.findDamages().join()).toContain('moved to preferences.json.damaged');
    expect(files.preferences.read()).toEqual({ port: 8421 });
    await files.log.flush();
  },
);

describe('of a newer version', () => {
  test('settings and instances keep what this one does not know, when it writes them, too', async () => {
    const at = (name: Name) => join(folder, name);
    writeFileSync(at('preferences.json'), JSON.stringify({ version: 9, port: 8421, ofTomorrow: { a: [1] } }));
    writeFileSync(
      at('instances.json'),
      JSON.stringify({ version: 9, ...documents['instances.json'], ofTomorrow: [{ b: 2 }] }),
    );
    const files = open();
    expect(files.findDamages()).toEqual([]);
    files.preferences.write({ ...files.preferences.read(), port: 8422 });
    files.instances.write({ ...files.instances.read(), current: 'local' });
    await files.log.flush();
    expect(JSON.parse(readFileSync(at('preferences.json'), 'utf8'))).toEqual({
      version: 9,
      port: 8422,
      ofTomorrow: { a: [1] },
    });
    expect(JSON.parse(readFileSync(at('instances.json'), 'utf8'))).toMatchObject({
      version: 9,
      current: 'local',
      ofTomorrow: [{ b: 2 }],
    });
  });

  test('keys in another form are put aside as they are and told; those in this form are used', async () => {
    const path = join(folder, 'keys.json');
    const ofTomorrow = {
      version: 2,
      keys: { 'https://b.example': { wrapped: 'AAAA', with: 'tpm' } },
      'https://a.example': { plain: 'wp_kept' },
      'https://c.example': { sealed: 'AAAA', with: 'tpm' },
    };
    writeFileSync(path, JSON.stringify(ofTomorrow));
    const files = open();
    const told = files.findDamages();
    expect(told.join()).toContain(
      `${path} could not be understood in parts. It was moved to keys.json.damaged.`,
    );
    expect(files.keys.read()).toEqual({ 'https://a.example': { plain: 'wp_kept' } });
    await files.log.flush();
    // Nothing of them is lost to the newer version.
    expect(JSON.parse(readFileSync(`${path}.damaged`, 'utf8'))).toEqual(ofTomorrow);
    expect(existsSync(path)).toBe(true);
  });
});
