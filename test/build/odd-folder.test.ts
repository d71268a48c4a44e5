// The checkout in a folder such as O'Brien's: a generator of imports once put that into quotes as it was.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectRoot } from '../../build/processes.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'waypost-odd-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a page builds in a checkout whose path contains an apostrophe, a space, a percent sign and an accent', () => {
  const checkout = join(folder, "O'Brien's 100%41 é");
  // Of the packages the one that the imports lead to has to lie in the odd folder itself; the others are found above.
  const parts = [
    'build/renderer-plugins.ts',
    'build/component-parts.ts',
    'build/page-sentences.ts',
    'node_modules/@nuxt/ui',
    'package.json',
  ];
  for (const part of parts) {
    mkdirSync(dirname(join(checkout, part)), { recursive: true });
    cpSync(join(projectRoot, part), join(checkout, part), { recursive: true });
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'), 'junction');
  mkdirSync(join(checkout, 'renderer'));
  const page = join(checkout, 'renderer', 'Page.vue');
  writeFileSync(page, '<template><UForm :state="{}" /></template>\n');
  const script = join(checkout, 'build', 'one-page.mjs');
  writeFileSync(
    script,
    `import { build } from 'vite';
     import { rendererPlugins, rendererRoot } from './renderer-plugins.ts';
     const lib = { entry: ${JSON.stringify(page)}, formats: ['es'] };
     const { 0: { output } } = await build({
       configFile: false, root: rendererRoot, logLevel: 'error', plugins: [rendererPlugins()],
       build: { lib, write: false, rollupOptions: { external: (id) => !/Page\\.vue/.test(id) } },
     });
     process.stdout.write(output[0].code);`,
  );
  const code = execFileSync(process.execPath, [script], { encoding: 'utf8', timeout: 120_000 });
  expect(code).toContain("O'Brien's 100%41 é/node_modules/@nuxt/ui/dist/runtime/components/Form.vue");
}, 180_000);
