/*
 * Run by packed-app.ts: `package-checkout.ts RUNTIME OUTPUT ANSWER` makes the package of this system by
 * electron-builder's own interface, with the configuration of `npm run package`, and writes what it learned into
 * ANSWER.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packagerFolder } from '../../build/packager.ts';
import { projectRoot } from '../../build/processes.ts';

const [runtime, output, answer = ''] = process.argv.slice(2);
const { Arch, build, Platform } = createRequire(join(packagerFolder, 'package.json'))('electron-builder');
const isLinux = process.platform === 'linux';
let appOutDir = '';
let debArguments: string[] = [];
let desktopEntry = '';

await build({
  projectDir: projectRoot,
  // The target is asked for what it needs, and prepares everything up to the call of the program that writes the file.
  targets: Platform.current().createTarget(isLinux ? ['deb'] : ['dir'], Arch[process.arch]),
  publish: 'never',
  config: {
    extends: join(projectRoot, 'build', 'electron-builder.yml'),
    electronDist: runtime,
    directories: { output },
    afterPack(context: { appOutDir: string }) {
      appOutDir = context.appOutDir;
    },
  },
  async effectiveOptionComputed([args, entry]: [string[], string]) {
    debArguments = args;
    desktopEntry = readFileSync(entry, 'utf8');
    // Enough: the program that would write the file is a download of its own.
    return true;
  },
});
writeFileSync(answer, JSON.stringify({ appOutDir, debArguments, desktopEntry }));
