/*
 * The desktop package, made by electron-builder itself out of the checkout, as far as that goes without Electron's
 * runtime: its walk over the files, the archive, what lies unpacked beside it, the fuses, and what it tells the program
 * that writes the .deb. Where the runtime is installed it is the real one; else, on Linux, an executable that does
 * nothing and has only the place where fuses are set.
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findElectron } from '../../build/electron-runtime.ts';
import { packagerFolder } from '../../build/packager.ts';

interface PackedFile {
  /** Inside the archive, with `/`. */
  path: string;
  size: number;
  /** Lies beside the archive, as a file of the system's own. */
  isUnpacked: boolean;
}

export interface PackedApp {
  archive: string;
  files: PackedFile[];
  /** What lies beside the archive. */
  unpackedFolder: string;
  /** The program that a person starts. */
  executable: string;
  /** Whether it can be started: false for the one that does nothing. */
  isReal: boolean;
  /** What the writer of the .deb is called with; empty on other systems. */
  debArguments: string[];
  /** The entry of desktop menus; empty on other systems. */
  desktopEntry: string;
  /** Writes every file of the package, packed or not, into a folder, as a program without archives would see it. */
  extract(folder: string): void;
  /** The state of each fuse by its number: 48 is off, 49 is on. */
  fuses(): Promise<Record<string, number | string>>;
}

interface ArchiveNode {
  files?: Record<string, ArchiveNode>;
  size?: number;
  unpacked?: boolean;
}

const fromPackager = createRequire(join(packagerFolder, 'package.json'));

/** Why no package can be made here, if so. */
export function whyNotPacked(): string | undefined {
  return process.platform === 'linux' || 'path' in findElectron()
    ? undefined
    : 'the Electron runtime is not installed, and only on Linux does something stand in for it';
}

/** Packages the built checkout into a folder. Requires the packager. */
export async function packApp(folder: string): Promise<PackedApp> {
  const runtime = findElectron();
  const dist = 'path' in runtime ? realDist() : writeRuntime(join(folder, 'runtime'));
  const output = join(folder, 'out');
  const answer = join(folder, 'answer.json');
  await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, 'package-checkout.ts'), dist, output, answer],
    { maxBuffer: 1 << 26 },
  );
  const { appOutDir, debArguments, desktopEntry } = JSON.parse(readFileSync(answer, 'utf8'));
  const { executable, resources } = placesIn(appOutDir);
  const archive = join(resources, 'app.asar');
  const asar = fromPackager('@electron/asar');
  return {
    archive,
    files: filesOf(asar.getRawHeader(archive).header),
    unpackedFolder: `${archive}.unpacked`,
    executable,
    isReal: 'path' in runtime,
    debArguments,
    desktopEntry,
    extract: (target) => asar.extractAll(archive, target),
    fuses: () => fromPackager('@electron/fuses').getCurrentFuseWire(executable),
  };
}

function placesIn(folder: string): { executable: string; resources: string } {
  if (process.platform === 'darwin') {
    const contents = join(folder, 'Waypost.app', 'Contents');
    return { executable: join(contents, 'MacOS', 'Waypost'), resources: join(contents, 'Resources') };
  }
  const name = process.platform === 'win32' ? 'Waypost.exe' : 'waypost';
  return { executable: join(folder, name), resources: join(folder, 'resources') };
}

/** The configuration for electron-builder. */
export function packagerConfiguration(): object {
  const { load } = fromPackager('js-yaml');
  return load(readFileSync(join(packagerFolder, '..', 'electron-builder.yml'), 'utf8'));
}

/** The filter that electron-builder makes of our patterns: whether it takes a file of a production dependency. */
export function moduleFilter(platform: string, arch: string): (path: string) => boolean {
  const { FileMatcher, getNodeModuleFileMatcher } = fromPackager('app-builder-lib/out/fileMatcher');
  const config = packagerConfiguration();
  const macros: Record<string, string> = { platform, arch };
  const expand = (text: string) => text.replace(/\$\{(\w+)\}/g, (macro, name) => macros[name] ?? macro);
  const matcher = getNodeModuleFileMatcher('/app', '/app', expand, {}, { config, debugLogger: {} });
  if (!(matcher instanceof FileMatcher))
    throw new Error('electron-builder has changed how it matches files.');
  const filter = matcher.createFilter();
  return (path) => filter(`/app/${path}`, { moduleFullFilePath: path, isDirectory: () => false });
}

function filesOf(node: ArchiveNode, folder = ''): PackedFile[] {
  return Object.entries(node.files ?? {}).flatMap(([name, child]) =>
    child.files
      ? filesOf(child, `${folder}${name}/`)
      : [{ path: folder + name, size: child.size ?? 0, isUnpacked: child.unpacked === true }],
  );
}

/** The runtime that `npm start` has downloaded. */
function realDist(): string {
  return process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(fromProject('electron/package.json'), '..', 'dist');
}

function fromProject(name: string): string {
  return createRequire(import.meta.url).resolve(name);
}

/** Version 1 of the fuses, eight of them, all off. */
const fuseWire = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 8]),
  Buffer.from('00000000'),
]);

function writeRuntime(folder: string): string {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  const executable = join(folder, 'electron');
  if (!existsSync(executable)) {
    writeFileSync(executable, Buffer.concat([Buffer.from('#!/bin/sh\nexit 1\n'), fuseWire]));
    chmodSync(executable, 0o755);
    writeFileSync(join(folder, 'chrome-sandbox'), '');
  }
  return folder;
}
