// What `npm run image` hands to Docker is enough to build from, and has nothing in it that the image should not have.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot, serverEnvironment, serverFlags } from '../../build/processes.ts';

/** With what shells and addresses trip over. */
let folder: string;
let copy: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost image é-'));
  copy = join(folder, 'app');
  cpSync(projectRoot, copy, {
    recursive: true,
    filter: (path) => !isIgnored(relative(projectRoot, path).split(sep).join('/')),
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every source file that the Dockerfile copies exists', () => {
  const dockerfile = readFileSync(join(projectRoot, 'build/Dockerfile'), 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  expect(copied).toContain('.npmrc');
  for (const name of copied) expect(existsSync(join(copy, name)), name).toBe(true);
});

test('fresh allocations use little memory, in the image as well as under npm start', () => {
  const dockerfile = readFileSync(join(projectRoot, 'build/Dockerfile'), 'utf8');
  expect(dockerfile).toContain(`ENTRYPOINT ["node", "${serverFlags.join('", "')}", "out/main/server.js"]`);
  const script = `
    const kept = [];
    for (let made = 0; made < 2_000_000; made += 1) kept[made % 100_000] = { made, pair: [made, made + 1] };
    const { space_size } = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    process.stdout.write(String(space_size));`;
  const size = execFileSync(process.execPath, [...serverFlags, '--eval', script]);
  expect(Number(size.toString()) / 1024 / 1024).toBeLessThan(40);
});

test('large blocks are given back when they are free, in the image as well as under npm start', () => {
  const dockerfile = readFileSync(join(projectRoot, 'build/Dockerfile'), 'utf8');
  const variables = Object.entries(serverEnvironment).map(([name, value]) => `${name}=${value}`);
  expect(dockerfile).toContain(`ENV NODE_ENV=production ${variables.join(' ')}\n`);
  // Small blocks that stay between large ones that go, after the allocator has seen an even larger one go.
  const script = `
    const { setTimeout: pause } = process.getBuiltinModule('node:timers/promises');
    const collect = async () => { gc(); await pause(200); gc(); };
    (() => new Uint8Array(24e6).fill(1))();
    await collect();
    const before = process.memoryUsage.rss();
    const small = [];
    (() => {
      const large = [];
      for (let made = 0; made < 100; made += 1) {
        large.push(new Uint8Array(1e6).fill(1));
        small.push(new Uint8Array(50_000).fill(1));
      }
    })();
    await collect();
    process.stdout.write(String((process.memoryUsage.rss() - before) / 1024 / 1024 + 0 * small.length));`;
  const flags = [...serverFlags, '--expose-gc', '--input-type=module', '--eval', script];
  const env = { ...process.env, ...serverEnvironment };
  expect(Number(execFileSync(process.execPath, flags, { env }).toString())).toBeLessThan(50);
});

test('the build only needs files that are part of the image', () => {
  symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const script =
    "const { resolveConfig } = await import('electron-vite');" +
    "const { config } = await resolveConfig({ logLevel: 'error' }, 'build', 'production');" +
    'process.stdout.write(Object.keys(config).sort().join());';
  const parts = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: copy });
  expect(parts.toString().split(',')).toEqual(expect.arrayContaining(['main', 'preload', 'renderer']));
});

test('tests, builds and installed packages are not copied', () => {
  for (const name of ['out', 'dist', '.git', 'test/e2e', 'renderer/node_modules']) {
    expect(existsSync(join(copy, name)), name).toBe(false);
  }
});

/** Whether .dockerignore leaves a path out, or something that it lies in; the last line that fits decides. */
function isIgnored(path: string): boolean {
  let ignored = false;
  for (const line of readFileSync(join(projectRoot, '.dockerignore'), 'utf8').split(/\r?\n/)) {
    if (line === '' || line.startsWith('#')) continue;
    const pattern = line
      .replace(/^!/, '')
      .replace(/[.+^$()|[\]{}]/g, '\\$&')
      .replace(/^\*\*\//, '(?:.*/)?')
      .replace(/(?<!\.)\*/g, '[^/]*');
    if (new RegExp(`^${pattern}(?:/|$)`).test(path)) ignored = !line.startsWith('!');
  }
  return ignored;
}
