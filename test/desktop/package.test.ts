// What `npm run package` puts into a package, made by electron-builder itself, and whether the server lives on just
// that. Without Electron's runtime this proves the list of files, what lies beside the archive, the fuses' setting and
// what the .deb is told; that Electron reads the archive and takes the fuses is for the real one (last test).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import { chromium } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mustRunUnsandboxed } from '../../build/electron-runtime.ts';
import { providePackager } from '../../build/packager.ts';
import { projectRoot } from '../../build/processes.ts';
import { mailServer } from '../support/mail-server.ts';
import {
  moduleFilter,
  type PackedApp,
  packApp,
  packagerConfiguration,
  whyNotPacked,
} from '../support/packed-app.ts';
import { firstAccount, type SpawnedServer, setUpAccount, spawnServer } from '../support/spawned-server.ts';

/**
 * Mebibytes of everything in the package but the runtime: what is there now and a tenth, for what comes with updates.
 * Other systems than Linux have both builds of sharp.
 */
const SIZE_BUDGET = process.platform === 'linux' ? 55 : 71;

interface LockedPackage {
  version: string;
  dev?: boolean;
  optional?: boolean;
}

/** Dependencies that a package does without: Node itself, types, and what only compiles better-sqlite3. */
const leftOut =
  /^node_modules\/(@types\/.*|node-addon-api|node-(bin-darwin-arm64|darwin-x64|linux-arm64|linux-x64|win-x64))$/;

/** The build of sharp that crashes in Electron on Linux (decision 0103). */
const nativeOnLinux = /^node_modules\/@img\/sharp-(libvips-)?linux/;

const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'),
);
const production = Object.entries(packages)
  .filter(([path, { dev }]) => path !== '' && !dev && !leftOut.test(path))
  .map(([path, { version }]) => ({ path, id: `${nameIn(path)}@${version}` }));
const needed = production.filter(({ path }) => !nativeOnLinux.test(path));

const folder = mkdtempSync(join(tmpdir(), 'waypost-package-'));
/** Every file of the package, as a program sees them that runs from it. */
const clean = join(folder, 'clean', 'app');
let app: PackedApp;
let why: string | undefined;

beforeAll(async () => {
  try {
    await providePackager();
    why = whyNotPacked();
  } catch (error) {
    why = (error as Error).message;
  }
  if (why) return;
  app = await packApp(join(folder, 'made'));
  mkdirSync(clean, { recursive: true });
  app.extract(clean);
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A test of the package, skipped with the reason where none can be made. */
const packed = (title: string, run: () => void | Promise<void>) =>
  test(title, async (context) => {
    context.skip(Boolean(why), `no package was made: ${why}`);
    await run();
  });

const paths = () => app.files.map(({ path }) => path);

describe('a package', () => {
  packed('contains every installed production dependency, and the app', () => {
    // By name and version: electron-builder puts duplicates where one copy of them serves all.
    const inside = new Set(modulesIn(app).map(({ id }) => id));
    const installed = needed.filter(({ path }) => existsSync(join(projectRoot, path)));
    expect(installed.length).toBeGreaterThan(100);
    expect(installed.map(({ id }) => id).filter((id) => !inside.has(id))).toEqual([]);
    for (const path of ['package.json', 'LICENSE', 'out/main/index.js', 'out/main/server.js']) {
      expect(paths()).toContain(path);
    }
    expect(paths()).toContain('out/preload/index.cjs');
    expect(paths()).toContain('out/renderer/index.html');
  });

  packed('contains the license texts of all dependencies', () => {
    const isLicence = (name: string) => /^(licen[cs]e|copying|notice)/i.test(name);
    const folders = new Map(modulesIn(app).map(({ id, path }) => [id, join(clean, path)]));
    const missing = needed.flatMap(({ id, path }) =>
      filesIn(join(projectRoot, path))
        .filter((name) => isLicence(name) && !existsSync(join(folders.get(id) ?? clean, name)))
        .map((name) => `${path}/${name}`),
    );
    expect(missing).toEqual([]);
  });

  packed('contains nothing that is only for building, tests, types or reading sources', () => {
    const unwanted = [
      /\.(map|ts|mts|cts|vue|c|cc|cpp|h|hpp|gyp|gypi|patch|sh)$/,
      /^(main|preload|renderer|server|test|build|dist|docs|coverage)\//,
      /^node_modules\/(electron|vite|vitest|playwright|typescript|@types)\//,
      /\/(tests?|benchmarks?|examples?|coverage|docs?)\//,
      /(^|\/)(README|CHANGELOG|HISTORY)[^/]*$/i,
      /(^|\/)\.env|\.db$|\.pem$|built-at$/,
      /\/(tsconfig[^/]*\.json|eslint\.config\.\w+|\.(eslint|prettier|editorconfig|nojekyll|yarnrc)[^/]*|Makefile)$/,
    ];
    expect(paths().filter((path) => unwanted.some((pattern) => pattern.test(path)))).toEqual([]);
  });

  packed('contains the binaries of its own system only', () => {
    const natives = paths().filter((path) => path.endsWith('.node'));
    const system = `${process.platform}-${process.arch}`;
    expect(natives.filter((path) => !path.includes(system))).toEqual([]);
    expect(natives.filter((path) => path.includes('better-sqlite3'))).toEqual([
      `node_modules/better-sqlite3/prebuilds/${system}.node`,
    ]);
    expect(natives.some((path) => path.startsWith(`node_modules/@img/sharp-${system}/`))).toBe(
      process.platform !== 'linux',
    );
    expect(paths().filter((path) => nativeOnLinux.test(path))).toEqual([]);
    expect(paths().some((path) => /^node_modules\/@img\/sharp-wasm32\/.*\.wasm$/.test(path))).toBe(true);
    expect(paths().filter((path) => /^node_modules\/node-(bin-)?(darwin|linux|win)/.test(path))).toEqual([]);
  });

  packed('keeps files that the system opens outside the archive', () => {
    const systemOpens = /\.(node|mmdb|dll|dylib|exe)$|\.so(\.|$)/;
    const wanted = app.files.filter(({ path }) => systemOpens.test(path));
    // SQLite and the database of places; sharp's native build is two more.
    expect(wanted.length).toBeGreaterThanOrEqual(process.platform === 'linux' ? 2 : 4);
    for (const { path, isUnpacked } of wanted) {
      expect([path, isUnpacked, existsSync(join(app.unpackedFolder, path))]).toEqual([path, true, true]);
    }
  });

  packed('is within its size budget', () => {
    const mebibytes = app.files.reduce((sum, { size }) => sum + size, 0) / 2 ** 20;
    process.stdout.write(`The package has ${app.files.length} files of ${mebibytes.toFixed(1)} MiB.\n`);
    expect(mebibytes).toBeLessThan(SIZE_BUDGET);
  });

  packed('has its fuses set so that it cannot be started as something else', async () => {
    // RunAsNode, cookies encrypted, NODE_OPTIONS, --inspect, integrity of the archive, only the archive, V8 snapshot,
    // file:
    const { version: _version, resetAdHocDarwinSignature: _reset, ...states } = await app.fuses();
    expect(Object.values(states).slice(0, 8).map(Number)).toEqual([48, 49, 48, 48, 49, 49, 48, 48]);
  });

  packed('is signed again after its fuses are set, on macOS without a certificate', () => {
    // Setting them breaks the signature that the runtime comes with, and Apple silicon then kills the app at its start.
    expect(packagerConfiguration()).toMatchObject({ electronFuses: { resetAdHocDarwinSignature: true } });
  });

  packed('starts as an AppImage where there is no FUSE 2, which the usual runtime of AppImages loads', () => {
    expect(packagerConfiguration()).toMatchObject({ toolsets: { appimage: '1.0.3' } });
  });
});

/**
 * Where the patterns of one system reach, by electron-builder's own matcher, for packages that are not installed here.
 */
test.each([
  ['linux', 'x64'],
  ['linux', 'arm64'],
  ['darwin', 'x64'],
  ['darwin', 'arm64'],
  ['win32', 'x64'],
])('the patterns exclude no dependency of %s %s', (platform, arch) => {
  const takes = moduleFilter(platform, arch);
  expect(needed.filter(({ path }) => !takes(`${path}/package.json`))).toEqual([]);
  expect(takes(`node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node`)).toBe(true);
  expect(takes(`node_modules/better-sqlite3/prebuilds/freebsd-${arch}.node`)).toBe(false);
  expect(takes(`node_modules/@img/sharp-${platform}-${arch}/lib/sharp-${platform}-${arch}.node`)).toBe(
    platform !== 'linux',
  );
});

test('both builds of sharp are of one version', () => {
  const [native, portable] = ['sharp', '@img/sharp-wasm32'].map((name) => packages[`node_modules/${name}`]);
  expect(portable?.version).toBe(native?.version);
});

test('the server image deletes no dependency', () => {
  const dockerfile = readFileSync(join(projectRoot, 'build/Dockerfile'), 'utf8');
  const deleted = [...dockerfile.matchAll(/rm -rf ((?:node_modules\/\S+ ?)+)/g)].flatMap(([, list = '']) =>
    list.trim().split(' '),
  );
  expect(deleted).not.toEqual([]);
  expect(production.filter(({ path }) => deleted.some((pattern) => matchesGlob(path, pattern)))).toEqual([]);
});

describe('the server of a package', () => {
  let server: SpawnedServer | undefined;
  let key = '';

  beforeAll(async () => {
    if (why) return;
    expect(foldersAbove(dirname(clean)).filter((path) => existsSync(join(path, 'node_modules')))).toEqual([]);
    server = await spawnServer(join(folder, 'data'), [], [], join(clean, 'out/main/server.js'));
    key = await setUpAccount(server);
  }, 120_000);
  afterAll(() => server?.stop());

  async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${server?.origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  }

  packed('reports its health and version', async () => {
    expect((await ask('GET', '/api/health')).status).toBe(200);
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    expect((await ask('GET', '/api/meta')).body.data).toMatchObject({ version });
  });

  packed('stores a link and redirects to its destination', async () => {
    const { body } = await ask('POST', '/api/url/add', { url: 'https://example.com/packed' });
    const answer = await fetch(body.shorturl, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://example.com/packed']);
  });

  packed('re-encodes a picture, puts it in a QR code with a caption, and decodes the code', async () => {
    const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#a21caf' } })
      .jpeg()
      .toBuffer();
    const made = await ask('POST', '/api/qr/add', {
      type: 'link',
      data: 'https://example.com/menu',
      logo: `data:image/jpeg;base64,${picture.toString('base64')}`,
      frame: 'bottom',
      caption: 'Speisekarte',
    });
    expect(made).toMatchObject({ status: 200, body: { error: 0 } });
    const { body } = await ask('GET', `/api/qr/${made.body.id}/render?format=png`);
    const { format, width = 0 } = await sharp(Buffer.from(body.data.base64, 'base64')).metadata();
    expect(format).toBe('png');
    expect(width).toBeGreaterThan(100);
  });

  packed('contains what is loaded on demand: passkeys and single sign-on', async () => {
    const origin = `http://localhost:${server?.port}`;
    const begun = { current_password: firstAccount.password };
    const { body } = await ask('POST', '/api/account/passkey/options', begun, { origin });
    expect(body.data.options).toMatchObject({ rp: { id: 'localhost' }, challenge: expect.any(String) });
    const provider = { issuer: 'http://localhost:9', clientid: 'waypost' };
    expect((await ask('PUT', '/api/sso', provider)).status).toBe(200);
    // The client is there; what is not there is the provider.
    const { body: refused } = await ask('POST', '/api/sso/test');
    expect(refused.code).toBe('sso_unreachable');
    expect(refused.message).not.toMatch(/cannot find|module|package/i);
  });

  packed('sends mail', async () => {
    const post = await mailServer({ authOptional: true });
    try {
      // The server of a package trusts the authorities of the system alone, to which this one is a stranger.
      const mail = { ...post.settings, security: 'none', user: null };
      expect((await ask('PUT', '/api/mail', { mail })).status).toBe(200);
      expect(await ask('POST', '/api/mail/test')).toMatchObject({ status: 200 });
      expect(post.received.map(({ to }) => to)).toEqual([[firstAccount.email]]);
    } finally {
      await post.close();
    }
  });

  packed('creates a backup and verifies that it restores', async () => {
    const { body } = await ask('POST', '/api/backup/add');
    // Seldom enough for the rate limit, beyond which it would wait for the next minute.
    const often = { interval: 1000, timeout: 60_000 };
    await expect
      .poll(async () => (await ask('GET', `/api/backup/${body.id}`)).body.data.state, often)
      .toBe('restorable');
  });
});

test('the .deb names its maker, origin and how the app is opened', (context) => {
  context.skip(Boolean(why), `no package was made: ${why}`);
  context.skip(process.platform !== 'linux', '.deb packages are made on Linux');
  const argumentOf = (option: string) => app.debArguments[app.debArguments.indexOf(option) + 1];
  expect(argumentOf('--name')).toBe('waypost');
  expect(argumentOf('--url')).toMatch(/^https:\/\//);
  expect(argumentOf('--maintainer')).toMatch(/^[^<]+ <[^@>]+@[^@>]+>$/);
  expect(argumentOf('--vendor')).not.toBe('');
  expect(argumentOf('--license')).toBe('MIT');
  expect(app.desktopEntry).toContain('MimeType=x-scheme-handler/waypost;');
  // The name by which Wayland finds a window's entry, and the portal for keys of the whole system who asks: Electron
  // has it of package.json, and GNOME takes none that is not written like a domain.
  const { desktopName } = JSON.parse(readFileSync(join(clean, 'package.json'), 'utf8'));
  expect(desktopName).toMatch(/^[a-z]+(\.[A-Za-z]+){2,}\.desktop$/);
  expect(app.debArguments.some((text) => text.endsWith(`=/usr/share/applications/${desktopName}`))).toBe(
    true,
  );
  expect(app.desktopEntry).toContain(`StartupWMClass=${desktopName.replace('.desktop', '')}\n`);
  // 1024 pixels, which is all that a single icon.png gives, is a size that no icon theme looks for.
  const icons = app.debArguments.filter((argument) => argument.includes('/icons/hicolor/'));
  for (const size of [16, 32, 48, 64, 128, 256, 512]) {
    expect(icons.some((icon) => icon.includes(`/hicolor/${size}x${size}/apps/`))).toBe(true);
  }
});

test('the packaged app starts from its archive with its fuses set, and shows its first page', async (context) => {
  context.skip(Boolean(why), `no package was made: ${why}`);
  context.skip(!app?.isReal, 'the package was made without the Electron runtime');
  // Its fuses refuse --inspect, by which Playwright would start it; the page's own debugging port is Chromium's.
  const userData = join(folder, 'user-data');
  const started = spawn(
    app.executable,
    [
      `--user-data-dir=${userData}`,
      '--remote-debugging-port=0',
      ...(mustRunUnsandboxed() ? ['--no-sandbox'] : []),
    ],
    { stdio: 'ignore' },
  );
  try {
    const portFile = join(userData, 'DevToolsActivePort');
    await expect.poll(() => existsSync(portFile), { timeout: 60_000 }).toBe(true);
    const port = readFileSync(portFile, 'utf8').split('\n')[0];
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    const [page] = browser.contexts().flatMap((one) => one.pages());
    await page?.getByRole('button', { name: 'Create account' }).waitFor();
    expect(page?.url()).toMatch(/^app:\/\/waypost\/admin\//);
    await browser.close();
  } finally {
    await end(started);
  }
});

async function end(started: ChildProcess): Promise<void> {
  if (started.exitCode !== null || started.signalCode !== null) return;
  const ended = once(started, 'exit');
  started.kill();
  await ended;
}

/** A folder and all folders above it. */
function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...foldersAbove(above)];
}

/** The packages below node_modules, wherever they lie. */
function modulesIn({ files }: PackedApp): { path: string; id: string }[] {
  return files
    .map(({ path }) => dirname(path))
    .filter(
      (path, index) =>
        /(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && files[index]?.path.endsWith('/package.json'),
    )
    .map((path) => {
      const { version } = JSON.parse(readFileSync(join(clean, path, 'package.json'), 'utf8'));
      return { path, id: `${nameIn(path)}@${version}` };
    });
}

/** The name of the package at a path, which ends with it. */
function nameIn(path: string): string {
  return path.split('node_modules/').at(-1) as string;
}

function filesIn(path: string): string[] {
  return existsSync(path) ? readdirSync(path) : [];
}
