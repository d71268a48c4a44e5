import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { lineSplitter, logFile } from '../../../main/server/log-file.ts';
import { jsonFile } from '../../../main/storage/json-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.skipIf(process.platform !== 'linux')(
  'settings where nothing can be made, as of somebody whose home is /proc, are told of, and not tried for ever',
  () => {
    const module = (path: string) => JSON.stringify(new URL(`../../../main/${path}`, import.meta.url).href);
    // In a program of its own: one that never ends takes its thread along.
    const said = execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { makeSettingsFolder } from ${module('storage/settings-folder.ts')};
         import { startFailure } from ${module('shell/start-failure.ts')};
         const folder = '/proc/.config/Waypost';
         const dialog = { showErrorBox: (_, text) => console.log(text) };
         const options = { folder: () => folder, now: () => new Date(), ready: async () => {}, exit() {} };
         try { makeSettingsFolder(folder); } catch (error) { startFailure({ dialog, ...options })(error); }`,
      ],
      { encoding: 'utf8', timeout: 30_000, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    expect(said).toContain('/proc/.config/Waypost, and cannot write there (ENOENT)');
    expect(said).toContain('--user-data-dir=FOLDER');
    expect(said).toContain('The log file could not be written either.');
  },
);

describe('a small document on disk', () => {
  const schema = z.object({ port: z.number() });

  test('is there again after a start', () => {
    const { file, path } = aFile();
    file.write({ port: 8421 });
    expect(jsonFile({ path, schema, empty: { port: 0 }, onDamage: () => {} }).read()).toEqual({ port: 8421 });
  });

  test('keeps what could be understood of it beyond the next start, though nothing is changed until then', () => {
    const path = join(folder, 'parts.json');
    const list = z.object({ rows: z.array(z.object({ name: z.string() })) });
    writeFileSync(path, '{"rows":[{"name":"good"},{"name":7}]}');
    const damages: string[] = [];
    const open = () =>
      jsonFile({ path, schema: list, empty: { rows: [] }, onDamage: (message) => damages.push(message) });
    expect(open().read()).toEqual({ rows: [{ name: 'good' }] });
    expect(open().read()).toEqual({ rows: [{ name: 'good' }] });
    expect(damages).toHaveLength(1);
    expect(readFileSync(`${path}.damaged`, 'utf8')).toContain('"name":7');
  });

  test('says what is in the way of writing it, which is not always a full disk', () => {
    const { file, path } = aFile();
    // The folder of the file is a file.
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    expect(() => file.write({ port: 1 })).toThrow(`${path} cannot be written`);
    expect(() => file.write({ port: 1 })).toThrow('Give your user access to it and try again.');
  });

  test('is empty before it was first written', () => {
    expect(aFile().file.read()).toEqual({ port: 8420 });
  });

  test.skipIf(process.platform === 'win32')('is for its owner only', () => {
    const { file, path } = aFile();
    file.write({ port: 1 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test.each(['', '{"port":84', '{"port":"8420"}', 'null', '\u0000\u0000'])(
    'is put aside and said when it is damaged (%j)',
    (text) => {
      const { file, path, damages } = aFile();
      writeFileSync(path, text);
      expect(file.read()).toEqual({ port: 8420 });
      expect(readFileSync(`${path}.damaged`, 'utf8')).toBe(text);
      expect(damages).toHaveLength(1);
    },
  );

  test('is put aside when nothing can walk through it, wherever in it that is', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const text of [`{"port":8421,"more":${deep}}`, `{"port":"x","more":${deep}}`, deep]) {
      const loose = z.looseObject({ port: z.number() });
      const path = join(folder, 'deep.json');
      writeFileSync(path, text);
      const damages: string[] = [];
      const file = jsonFile({
        path,
        schema: loose,
        empty: { port: 8420 },
        onDamage: (message) => damages.push(message),
      });
      expect(file.read()).toEqual({ port: 8420 });
      expect(damages).toHaveLength(1);
      file.write({ port: 1 });
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ port: 1 });
    }
  });

  test.skipIf(process.platform === 'win32')('is written past a pipe and a link in its way', () => {
    const { file, path } = aFile();
    execFileSync('mkfifo', [`${path}.new`]);
    file.write({ port: 1 });
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, 'of another program');
    symlinkSync(elsewhere, `${path}.new`);
    file.write({ port: 2 });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ port: 2 });
    expect(readFileSync(elsewhere, 'utf8')).toBe('of another program');
  });

  test.skipIf(process.platform === 'win32')(
    'stays a link when it is one, and is written where that leads',
    () => {
      const { file, path } = aFile();
      const elsewhere = join(folder, 'settings of mine', 'waypost.json');
      mkdirSync(join(folder, 'settings of mine'));
      writeFileSync(elsewhere, '{"port":1}');
      symlinkSync(elsewhere, path);
      expect(file.read()).toEqual({ port: 1 });
      file.write({ port: 2 });
      expect(readlinkSync(path)).toBe(elsewhere);
      expect(JSON.parse(readFileSync(elsewhere, 'utf8'))).toEqual({ port: 2 });
      expect(readdirSync(join(folder, 'settings of mine'))).toEqual(['waypost.json']);
    },
  );

  test.skipIf(process.platform === 'win32')('is put aside when it is a pipe', () => {
    const { file, path, damages } = aFile();
    execFileSync('mkfifo', [path]);
    expect(file.read()).toEqual({ port: 8420 });
    expect(damages.join()).toContain('it is not a file');
    expect(existsSync(`${path}.damaged`)).toBe(true);
  });

  test.skipIf(process.platform === 'win32')(
    'is put aside and said when it is a link that leads nowhere or in a circle, beside those of before',
    () => {
      const { path, damages, file } = aFile();
      symlinkSync(join(folder, 'on a disk that is not there'), path);
      symlinkSync(join(folder, 'nowhere'), `${path}.damaged`);
      expect(file.read()).toEqual({ port: 8420 });
      const { file: again } = aFile();
      symlinkSync(path, path);
      expect(again.read()).toEqual({ port: 8420 });
      expect(damages.join()).toContain('moved to a.json.damaged.2');
      expect(['', '.2', '.3'].map((age) => readlinkSync(`${path}.damaged${age}`))).toEqual([
        join(folder, 'nowhere'),
        join(folder, 'on a disk that is not there'),
        path,
      ]);
    },
  );

  test('is put aside a few times only, and what was there before any damage stays', () => {
    const path = join(folder, 'a.json');
    writeFileSync(path, '{"port":"the only key"}');
    for (let time = 1; time <= 12; time += 1) {
      expect(aFile().file.read()).toEqual({ port: 8420 });
      writeFileSync(path, `{"port":"damage ${time}"}`);
    }
    const kept = readdirSync(folder).filter((name) => name !== 'a.json');
    expect(kept.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).port).sort()).toEqual([
      'damage 10',
      'damage 11',
      'damage 8',
      'damage 9',
      'the only key',
    ]);
    expect(readFileSync(`${path}.damaged`, 'utf8')).toContain('the only key');
  });

  test('is put aside beside folders that have its names, and throws none of them away', () => {
    const path = join(folder, 'a.json');
    for (const age of ['', '.2', '.4'])
      mkdirSync(join(`${path}.damaged${age}`, 'inside'), { recursive: true });
    for (let time = 1; time <= 5; time += 1) {
      writeFileSync(path, `{"port":"damage ${time}"}`);
      aFile().file.read();
    }
    const names = readdirSync(folder).filter((name) => name.includes('damaged'));
    const folders = names.filter((name) => existsSync(join(folder, name, 'inside')));
    expect([folders.length, names.length]).toEqual([3, 5]);
    const { file, path: again, damages } = aFile();
    writeFileSync(again, '{');
    expect(file.read()).toEqual({ port: 8420 });
    expect(damages.join()).toContain('moved to a.json.damaged.5');
  });

  test('is written past a folder in the way of the new one', () => {
    const { file, path } = aFile();
    mkdirSync(join(`${path}.new`, 'inside'), { recursive: true });
    file.write({ port: 1 });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ port: 1 });
  });

  test('leaves nothing else behind', () => {
    const { file } = aFile();
    file.write({ port: 1 });
    file.write({ port: 2 });
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  function aFile() {
    const path = join(folder, 'a.json');
    const damages: string[] = [];
    const onDamage = (message: string) => damages.push(message);
    return { path, damages, file: jsonFile({ path, schema, empty: { port: 8420 }, onDamage }) };
  }
});

describe('the log file', () => {
  const now = () => new Date('2026-01-02T03:04:05Z');

  test('has all lines in their order', async () => {
    const log = logFile({ path: join(folder, 'logs', 'a.log'), now });
    for (let line = 0; line < 500; line++) log.line(`${line}`);
    await log.flush();
    expect(readFileSync(log.path, 'utf8')).toBe(
      Array.from({ length: 500 }, (_, line) => `${line}\n`).join(''),
    );
  });

  test('says when and from whom a note is', async () => {
    const log = logFile({ path: join(folder, 'a.log'), now });
    log.note('the server is listening', { port: 8420 });
    await log.flush();
    expect(JSON.parse(readFileSync(log.path, 'utf8'))).toEqual({
      time: '2026-01-02T03:04:05.000Z',
      from: 'desktop',
      message: 'the server is listening',
      port: 8420,
    });
  });

  test('keeps two old files and no more', async () => {
    const log = logFile({ path: join(folder, 'a.log'), now, maxSize: 10 });
    for (const line of ['first file', 'second file', 'third file', 'fourth file']) {
      log.line(line);
      await log.flush();
    }
    expect(readdirSync(folder).sort()).toEqual(['a.log', 'a.log.1', 'a.log.2']);
    expect(readFileSync(log.path, 'utf8')).toBe('fourth file\n');
    expect(readFileSync(`${log.path}.2`, 'utf8')).toBe('second file\n');
  });

  test('goes on where the last start ended', async () => {
    const path = join(folder, 'a.log');
    for (const line of ['one', 'two']) {
      const log = logFile({ path, now });
      log.line(line);
      await log.flush();
    }
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  });

  test('has its place again when something else lies there, which is told', async () => {
    const places: [string, (path: string) => void][] = [
      ['a/b.log', (path) => mkdirSync(path, { recursive: true })],
      ['c', (path) => writeFileSync(path, 'a file where the folder should be')],
    ];
    if (process.platform !== 'win32') {
      places.push(
        ['d.log', (path) => execFileSync('mkfifo', [path])],
        ['e.log', (path) => symlinkSync(join(folder, 'nowhere/at/all'), path)],
        ['f.log', (path) => symlinkSync(path, path)],
        ['g', (path) => symlinkSync(join(folder, 'nowhere/at/all'), path)],
      );
    }
    for (const [place, block] of places) {
      block(join(folder, place));
      const told: string[] = [];
      const path = join(folder, place.endsWith('.log') ? place : `${place}/a.log`);
      const log = logFile({ path, now, onDamage: (message) => told.push(message) });
      log.line('a line');
      await log.flush();
      expect(readFileSync(path, 'utf8')).toBe('a line\n');
      expect(told.join()).toContain('moved to');
    }
  });

  test('is made where a link leads, and said to be lost where it cannot be made', async () => {
    const told: string[] = [];
    const onDamage = (message: string) => told.push(message);
    if (process.platform !== 'win32') {
      symlinkSync(join(folder, 'elsewhere.log'), join(folder, 'a.log'));
      const log = logFile({ path: join(folder, 'a.log'), now, onDamage });
      log.line('a line');
      await log.flush();
      expect(readFileSync(join(folder, 'elsewhere.log'), 'utf8')).toBe('a line\n');
    }
    expect(told).toEqual([]);
    // Longer than any system takes a name.
    const path = join(folder, `${'a'.repeat(300)}.log`);
    const log = logFile({ path, now, onDamage });
    log.line('lost');
    await log.flush();
    expect(told).toEqual([expect.stringContaining(`The log ${path} cannot be written`)]);
  });

  test.skipIf(process.platform === 'win32')(
    'is left where it is when the system has no more files to give, and goes on once it has',
    () => {
      const path = join(folder, 'a.log');
      writeFileSync(path, 'of the start before\n');
      const module = JSON.stringify(new URL('../../../main/server/log-file.ts', import.meta.url).href);
      // In a program of its own, whose files are few.
      const script = `import { closeSync, openSync } from 'node:fs';
        import { logFile } from ${module};
        const taken = [];
        try {
          for (;;) taken.push(openSync(process.execPath));
        } catch {}
        const told = [];
        const log = logFile({ path: ${JSON.stringify(path)}, now: () => new Date(), onDamage: (said) => told.push(said) });
        for (const file of taken) closeSync(file);
        log.line('a line');
        await log.flush();
        console.log(JSON.stringify(told));`;
      const command = 'ulimit -n 256 && exec "$0" --input-type=module --eval "$1"';
      const said = execFileSync('/bin/sh', ['-c', command, process.execPath, script], { encoding: 'utf8' });
      expect(JSON.parse(said)).toEqual([expect.stringMatching(/cannot be written \(EMFILE[^)]*\)\.$/)]);
      expect(readdirSync(folder)).toEqual(['a.log']);
      expect(readFileSync(path, 'utf8')).toBe('of the start before\na line\n');
    },
  );

  test('does not stop the app when it cannot be written', async () => {
    const path = join(folder, 'a.log');
    const log = logFile({ path, now });
    rmSync(folder, { recursive: true });
    log.line('lost');
    await log.flush();
    expect(existsSync(path)).toBe(false);
    folder = mkdtempSync(join(tmpdir(), 'waypost-files-'));
  });

  test('drops lines, and says how many, rather than fill the memory', async () => {
    const log = logFile({ path: join(folder, 'a.log'), now });
    for (let line = 0; line < 30; line++) log.line('x'.repeat(100_000));
    await log.flush();
    const lines = readFileSync(log.path, 'utf8').trim().split('\n');
    const last = JSON.parse(lines.at(-1) as string);
    expect(last.dropped).toBe(30 - (lines.length - 1));
    expect(last.dropped).toBeGreaterThan(0);
  });
});

test('lines come out whole, however the stream is cut', () => {
  const line = fc.string({ minLength: 1 }).map((text) => `l${text.replaceAll('\n', ' ')}`);
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(40)), (lines, cuts) => {
      const heard: string[] = [];
      const splitter = lineSplitter((one) => heard.push(one));
      let rest = lines.map((one) => `${one}\n`).join('');
      for (const cut of cuts) {
        splitter.push(rest.slice(0, cut));
        rest = rest.slice(cut);
      }
      splitter.push(rest);
      splitter.end();
      expect(heard).toEqual(lines);
    }),
  );
});
