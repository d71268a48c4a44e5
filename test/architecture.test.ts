import { describe, expect, test } from 'vitest';
import { rules, violations, violationsOf } from '../build/architecture.ts';

/** Rule → a file that keeps it, and files that break it, each as [path, text]. */
const samples: Record<string, { good: [string, string][]; bad: [string, string][] }> = {
  'parts import only their contracts': {
    good: [
      ['renderer/links/store.ts', "import { link } from '../../server/contract/links.ts';"],
      ['main/ipc.ts', "import type { Desktop } from '../preload/contract.ts';"],
      ['server/start.ts', "import { version } from '../package.json';"],
      ['test/server/links.test.ts', "import { createApp } from '../../server/app.ts';"],
    ],
    bad: [
      ['renderer/links/store.ts', "import { linkService } from '../../server/links/service.ts';"],
      [
        'renderer/links/LinksPage.vue',
        '<script setup lang="ts">\nimport { a } from \'../../main/ipc.ts\';\n</script>',
      ],
      ['server/links/service.ts', "import { format } from '../../renderer/ui/format.ts';"],
      ['server/contract/links.ts', "import { notFound } from '../errors.ts';"],
      ['server/contract/links.ts', "import type { Row } from '../links/queries.ts';"],
      ['main/index.ts', "import { createApp } from '../server/app.ts';"],
      ['main/index.ts', "const { createApp } = await import('../server/app.ts');"],
      ['preload/index.ts', "export { ipc } from '../main/ipc.ts';"],
      ['preload/contract.ts', "export type Link = import('../server/contract/links.ts').Link;"],
      ['server/index.ts', "import { call } from '../test/support/app.ts';"],
    ],
  },
  'preload/contract.ts is only types': {
    good: [['main/ipc.ts', "import { type Desktop } from '../preload/contract.ts';"]],
    bad: [
      ['renderer/api/transport.ts', "import { channels } from '../../preload/contract.ts';"],
      ['renderer/api/transport.ts', "import '../../preload/contract.ts';"],
    ],
  },
  'packages stay in their world': {
    good: [
      ['server/contract/links.ts', "import { z } from 'zod';"],
      ['preload/index.ts', "import { contextBridge } from 'electron';"],
      ['renderer/main.ts', "import { createApp } from 'vue';"],
    ],
    bad: [
      ['server/contract/links.ts', "import { createHash } from 'node:crypto';"],
      ['server/contract/links.ts', "import ipaddr from 'ipaddr.js';"],
      ['server/index.ts', "import { app } from 'electron';"],
      ['server/links/service.ts', "import { computed } from 'vue';"],
      ['preload/index.ts', "import { readFileSync } from 'node:fs';"],
      ['preload/contract.ts', "import type { IpcRenderer } from 'electron';"],
      ['main/index.ts', "import Database from 'better-sqlite3';"],
      ['renderer/main.ts', "import { ipcRenderer } from 'electron';"],
      ['renderer/links/store.ts', "import { join } from 'node:path';"],
    ],
  },
  'relative imports name the file': {
    good: [
      ['renderer/main.ts', "import './main.css';"],
      ['server/database/migrations.ts', "import first from './migrations/0001-first.sql?raw';"],
    ],
    bad: [
      ['server/app.ts', "import { notFound } from './errors';"],
      ['server/app.ts', "import { notFound } from './errors.js';"],
      ['renderer/router.ts', "import LinksPage from './links/LinksPage';"],
    ],
  },
  'routes → service → queries → database, never upwards': {
    good: [
      [
        'server/links/routes.ts',
        "import { linkService } from './service.ts';\nimport { present } from './presenter.ts';",
      ],
      ['server/links/queries.ts', "import type { Connection } from '../database/open.ts';"],
      ['server/links/presenter.ts', "import type { LinkRow } from './queries.ts';"],
    ],
    bad: [
      ['server/links/service.ts', "import { linkRoutes } from './routes.ts';"],
      ['server/links/service.ts', "import { presentLink } from './presenter.ts';"],
      ['server/links/queries.ts', "import { linkService } from './service.ts';"],
      ['server/links/queries.ts', "import type { LinkService } from './service.ts';"],
      ['server/links/presenter.ts', "import { linkQueries } from './queries.ts';"],
      ['server/links/routes.ts', "import { open } from '../database/open.ts';"],
      ['server/links/trash-routes.ts', "import type { Connection } from '../database/open.ts';"],
    ],
  },
  'features meet in app.ts': {
    good: [
      ['server/app.ts', "import { linkService } from './links/service.ts';"],
      ['server/campaigns/service.ts', "import type { LinkService } from '../links/service.ts';"],
      ['server/campaigns/routes.ts', "import { serve } from '../http/serve.ts';"],
    ],
    bad: [
      ['server/campaigns/service.ts', "import { linkService } from '../links/service.ts';"],
      ['server/jobs/sync.ts', "import { domainQueries } from '../domains/queries.ts';"],
      ['server/http/authenticate.ts', "import { hash } from '../keys/hash.ts';"],
      ['server/database/open.ts', "import { linkQueries } from '../links/queries.ts';"],
    ],
  },
  'databases are opened in server/database': {
    good: [['server/database/open.ts', 'const database = new Database(path);']],
    bad: [
      ['server/links/queries.ts', 'const database = new Database(path);'],
      ['main/index.ts', "new Database(':memory:');"],
    ],
  },
  'ipcMain is used in main/ipc.ts': {
    good: [['main/ipc.ts', "import { ipcMain } from 'electron';\nipcMain.handle('a', b);"]],
    bad: [
      ['main/window.ts', "import { ipcMain } from 'electron';"],
      ['main/window.ts', "electron.ipcMain.on('a', b);"],
    ],
  },
  'shell.openExternal is used in main/open-external.ts': {
    good: [
      ['main/open-external.ts', 'shell.openExternal(address);'],
      ['renderer/links/LinkRow.vue', '<script setup lang="ts">\ndesktop.openExternal(address);\n</script>'],
    ],
    bad: [['main/menu.ts', 'shell.openExternal(address);']],
  },
  'the environment is read in server/config.ts and main/index.ts': {
    good: [['server/config.ts', 'export const port = process.env.PORT;']],
    bad: [
      ['server/app.ts', 'const port = process.env.PORT;'],
      ['server/app.ts', "const port = process.env['PORT'];"],
      ['server/app.ts', "import { env } from 'node:process';"],
      ['main/window.ts', 'const { DISPLAY } = process.env;'],
    ],
  },
  'the renderer writes no raw HTML': {
    good: [['renderer/ui/Text.vue', '<template><p>{{ text }}</p></template>']],
    bad: [
      ['renderer/ui/Text.vue', '<template>\n  <p v-html="text" />\n</template>'],
      ['renderer/ui/text.ts', 'element.innerHTML = text;'],
      ['renderer/ui/text.ts', "element.insertAdjacentHTML('beforeend', text);"],
    ],
  },
  'the renderer asks the server in renderer/api': {
    good: [
      ['renderer/api/transport.ts', 'const answer = await fetch(address);'],
      ['renderer/main.ts', 'browserTransport((input, init) => fetch(input, init));'],
    ],
    bad: [
      ['renderer/links/store.ts', "const answer = await fetch('/api/urls');"],
      ['renderer/links/LinksPage.vue', '<script setup lang="ts">\nwindow.fetch(\'/api/urls\');\n</script>'],
    ],
  },
  'the server asks others through one fetcher': {
    good: [['server/fetcher/fetcher.ts', "import { request } from 'undici';"]],
    bad: [
      ['server/webhooks/deliver.ts', 'await fetch(address);'],
      ['server/webhooks/deliver.ts', 'await globalThis.fetch(address);'],
      ['server/webhooks/deliver.ts', "import { request } from 'undici';"],
    ],
  },
  'no fs on the live database': {
    good: [['server/database/backup.ts', 'await database.backup(path);']],
    bad: [
      ['server/database/backup.ts', 'copyFileSync(databaseFile, target);'],
      ['server/database/backup.ts', 'await fs.readFile(config.databasePath);'],
      ['server/http/download.ts', "createReadStream(join(folder, 'waypost.db'));"],
    ],
  },
  'values are bound, not pasted into SQL': {
    good: [
      [
        'server/links/queries.ts',
        "const columns = 'id, alias';\ndatabase.prepare(`SELECT ${columns} FROM links`);",
      ],
      ['server/links/queries.ts', 'database.prepare(`SELECT 1`);'],
      [
        'server/links/queries.ts',
        "const orders = { date: 'id' };\nfunction where() { return 'a = @a'; }\nfunction list(order) { const w = where(); database.prepare(`SELECT a FROM b WHERE ${w} ORDER BY ${orders[order] ?? orders.date}`); }",
      ],
    ],
    bad: [
      ['server/links/queries.ts', 'database.prepare(`SELECT * FROM links WHERE alias = ${alias}`);'],
      ['server/links/queries.ts', 'database.exec(`DROP TABLE ${name}`);'],
      ['server/links/queries.ts', 'function a(b) { const c = b.name; database.prepare(`SELECT ${c}`); }'],
      ['server/links/queries.ts', 'for (const c of input.columns) database.prepare(`SELECT ${c}`);'],
    ],
  },
  'computed values change nothing': {
    good: [
      [
        'renderer/links/store.ts',
        'const a = computed(() => { const b = c.value; return b; });\nconst d = computed({ get: () => e.value, set: (f) => { e.value = f; } });',
      ],
    ],
    bad: [
      ['renderer/links/store.ts', 'const a = computed(() => { count.value += 1; return count.value; });'],
      [
        'renderer/links/L.vue',
        '<script setup lang="ts">\nconst a = computed(() => (open.value = true));\n</script>',
      ],
    ],
  },
  'files are kebab-case, components PascalCase': {
    good: [
      ['renderer/links/LinkForm.vue', ''],
      ['renderer/links/use-link-form.ts', ''],
      ['test/server/links.exploit.test.ts', ''],
    ],
    bad: [
      ['renderer/links/link-form.vue', ''],
      ['renderer/links/useLinkForm.ts', ''],
      ['server/links/LinkService.ts', ''],
      ['server/links/link_service.ts', ''],
    ],
  },
  'names say what is inside': {
    good: [['server/links/alias.ts', '']],
    bad: [
      ['server/links/utils.ts', ''],
      ['server/utils/alias.ts', ''],
      ['server/links/link-helpers.ts', ''],
      ['main/window-manager.ts', ''],
      ['renderer/common/Button.vue', ''],
    ],
  },
  'no barrel files': {
    good: [['server/index.ts', "import { createApp } from './app.ts';\ncreateApp();"]],
    bad: [
      ['server/links/all.ts', "export * from './service.ts';\nexport { a } from './queries.ts';"],
      ['server/links/index.ts', 'export const a = 1;'],
    ],
  },
  'migrations are numbered': {
    good: [['server/database/migrations/0001-links.sql', 'CREATE TABLE links (id INTEGER) STRICT;']],
    bad: [
      ['server/database/migrations/links.sql', ''],
      ['server/links/queries.sql', ''],
    ],
  },
};

test('no source file breaks a rule of the architecture', () => {
  expect(violations()).toEqual([]);
});

test('every rule has samples', () => {
  expect(Object.keys(samples).sort()).toEqual(rules.map(({ name }) => name).sort());
});

describe.each(Object.entries(samples))('%s', (name, { good, bad }) => {
  test.each(bad)('is broken by %s: %s', (path, text) => {
    expect(violationsOf(path, text).join('\n')).toContain(` ${name}: `);
  });

  test.each(good)('is kept by %s: %s', (path, text) => {
    expect(violationsOf(path, text)).toEqual([]);
  });
});

test('a finding names the line in the file, also below a template', () => {
  const text = '<template>\n  <p />\n</template>\n\n<script setup lang="ts">\nawait fetch(a);\n</script>\n';
  expect(violationsOf('renderer/ui/Text.vue', text)).toEqual([
    expect.stringMatching(/^renderer\/ui\/Text\.vue:6 the renderer asks the server in renderer\/api: /),
  ]);
});
