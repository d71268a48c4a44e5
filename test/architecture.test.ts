import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { circlesOf } from '../build/architecture/circles.ts';
import { migrationFaults } from '../build/architecture/migration-numbers.ts';
import { parseSource } from '../build/architecture/source.ts';
import { rules, violations, violationsOf } from '../build/architecture.ts';

/** Rule → a file that keeps it, and files that break it, each as [path, text]. */
const samples: Record<string, { good: [string, string][]; bad: [string, string][] }> = {
  'parts import only their contracts': {
    good: [
      ['renderer/content/links/store.ts', "import { link } from '../../../server/contract/links.ts';"],
      ['main/shell/ipc.ts', "import type { Desktop } from '../../preload/contract.ts';"],
      ['server/start.ts', "import { version } from '../package.json';"],
      ['test/server/links.test.ts', "import { createApp } from '../../server/app.ts';"],
    ],
    bad: [
      [
        'renderer/content/links/store.ts',
        "import { linkService } from '../../../server/content/links/service.ts';",
      ],
      [
        'renderer/content/links/LinksPage.vue',
        '<script setup lang="ts">\nimport { a } from \'../../../main/shell/ipc.ts\';\n</script>',
      ],
      ['server/content/links/service.ts', "import { format } from '../../../renderer/ui/format.ts';"],
      ['server/contract/links.ts', "import { notFound } from '../platform/errors.ts';"],
      ['server/contract/links.ts', "import type { Row } from '../content/links/queries.ts';"],
      ['main/index.ts', "import { createApp } from '../server/app.ts';"],
      [
        'server/platform/events/routes.ts',
        "import { liveEvents } from '../../../main/requests/live-events.ts';",
      ],
      ['main/index.ts', "const { createApp } = await import('../server/app.ts');"],
      ['preload/index.ts', "export { ipc } from '../main/shell/ipc.ts';"],
      ['preload/contract.ts', "export type Link = import('../server/contract/links.ts').Link;"],
      ['server/index.ts', "import { call } from '../test/support/app.ts';"],
    ],
  },
  'preload/contract.ts is only types': {
    good: [['main/shell/ipc.ts', "import { type Desktop } from '../../preload/contract.ts';"]],
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
      ['server/content/links/service.ts', "import { computed } from 'vue';"],
      ['preload/index.ts', "import { readFileSync } from 'node:fs';"],
      ['preload/contract.ts', "import type { IpcRenderer } from 'electron';"],
      ['main/index.ts', "import Database from 'better-sqlite3';"],
      ['renderer/main.ts', "import { ipcRenderer } from 'electron';"],
      ['renderer/content/links/store.ts', "import { join } from 'node:path';"],
    ],
  },
  'relative imports name the file': {
    good: [
      ['renderer/main.ts', "import './main.css';"],
      ['server/platform/database/migrations.ts', "import first from './migrations/0001-first.sql?raw';"],
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
        'server/content/links/routes.ts',
        "import { linkService } from './service.ts';\nimport { present } from './presenter.ts';",
      ],
      [
        'server/content/links/queries.ts',
        "import type { Connection } from '../../platform/database/open.ts';",
      ],
      ['server/content/links/presenter.ts', "import type { LinkRow } from './queries.ts';"],
    ],
    bad: [
      ['server/content/links/service.ts', "import { linkRoutes } from './routes.ts';"],
      ['server/content/links/service.ts', "import { presentLink } from './presenter.ts';"],
      ['server/content/links/queries.ts', "import { linkService } from './service.ts';"],
      ['server/content/links/queries.ts', "import type { LinkService } from './service.ts';"],
      ['server/content/links/presenter.ts', "import { linkQueries } from './queries.ts';"],
      ['server/content/links/routes.ts', "import { open } from '../../platform/database/open.ts';"],
      [
        'server/content/links/trash-routes.ts',
        "import type { Connection } from '../../platform/database/open.ts';",
      ],
    ],
  },
  'districts import downwards': {
    good: [
      ['server/content/links/service.ts', "import { rejected } from '../../platform/errors.ts';"],
      ['server/content/qr/service.ts', "import type { LinkService } from '../links/service.ts';"],
      ['server/app.ts', "import { commands } from './operations/commands/run.ts';"],
      ['server/start.ts', "import { createApp } from './app.ts';"],
      ['renderer/operations/settings/SettingsPage.vue', ''],
      ['renderer/router.ts', "import { frame } from './frame/frame.ts';"],
      ['renderer/visits/stats/series.ts', "import { call } from '../../api/client.ts';"],
    ],
    bad: [
      ['server/platform/http/api.ts', "import type { KeyRow } from '../../identity/keys/queries.ts';"],
      ['server/visits/stats/presenter.ts', "import { shortUrl } from '../../content/links/presenter.ts';"],
      ['server/operations/commands/app.ts', "import { createApp } from '../../app.ts';"],
      [
        'renderer/ui/LinkForm.vue',
        '<script setup lang="ts">\nimport a from \'../content/links/a.ts\';\n</script>',
      ],
      ['renderer/network/domains/host.ts', "import { frame } from '../../frame/frame.ts';"],
    ],
  },
  'features meet where they are wired': {
    good: [
      ['server/app.ts', "import { linkService } from './content/links/service.ts';"],
      ['server/content/links/module.ts', "import { planQueries } from '../../identity/plans/queries.ts';"],
      ['server/content/campaigns/service.ts', "import type { LinkService } from '../links/service.ts';"],
      ['server/content/campaigns/routes.ts', "import { serve } from '../../platform/http/serve.ts';"],
    ],
    bad: [
      ['server/content/campaigns/service.ts', "import { linkService } from '../links/service.ts';"],
      ['server/network/domains/sync.ts', "import { userQueries } from '../../identity/users/queries.ts';"],
    ],
  },
  'databases are opened in server/platform/database': {
    good: [['server/platform/database/open.ts', 'const database = new Database(path);']],
    bad: [
      ['server/content/links/queries.ts', 'const database = new Database(path);'],
      ['main/index.ts', "new Database(':memory:');"],
    ],
  },
  'ipcMain is used in main/shell/ipc.ts': {
    good: [['main/shell/ipc.ts', "import { ipcMain } from 'electron';\nipcMain.handle('a', b);"]],
    bad: [
      ['main/shell/window.ts', "import { ipcMain } from 'electron';"],
      ['main/shell/window.ts', "electron.ipcMain.on('a', b);"],
    ],
  },
  'shell.openExternal is used in main/shell/open-external.ts': {
    good: [
      ['main/shell/open-external.ts', 'shell.openExternal(address);'],
      [
        'renderer/content/links/LinkRow.vue',
        '<script setup lang="ts">\ndesktop.openExternal(address);\n</script>',
      ],
    ],
    bad: [['main/shell/menu.ts', 'shell.openExternal(address);']],
  },
  'the environment is read in server/platform/config.ts and main/index.ts': {
    good: [['server/platform/config.ts', 'export const port = process.env.PORT;']],
    bad: [
      ['server/app.ts', 'const port = process.env.PORT;'],
      ['server/app.ts', "const port = process.env['PORT'];"],
      ['server/app.ts', "import { env } from 'node:process';"],
      ['main/shell/window.ts', 'const { DISPLAY } = process.env;'],
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
  'the renderer works over plain HTTP': {
    good: [
      ['renderer/ui/copy-text.ts', 'await navigator.clipboard.writeText(text);'],
      ['renderer/api/random-id.ts', '// Not crypto.randomUUID.\ncrypto.getRandomValues(bytes);'],
    ],
    bad: [
      ['renderer/content/links/saved-views.ts', 'const id = crypto.randomUUID();'],
      [
        'renderer/ui/CopyButton.vue',
        '<script setup lang="ts">\nnavigator.clipboard.writeText(text);\n</script>',
      ],
      ['renderer/ui/sums.ts', "crypto.subtle.digest('SHA-256', bytes);"],
    ],
  },
  'what others answer is checked by safeParse of server/contract': {
    good: [
      ['main/shell/updates.ts', 'const { data } = safeParse(release, answer);'],
      ['server/content/links/service.ts', 'const { data } = email.safeParse(text);'],
    ],
    bad: [
      ['main/shell/updates.ts', 'const { data } = release.safeParse(answer);'],
      ['renderer/api/client.ts', 'const parsed = endpoint.reply.safeParse(reply.body);'],
    ],
  },
  'the renderer asks the server in renderer/api': {
    good: [
      ['renderer/api/transport.ts', 'const answer = await fetch(address);'],
      ['renderer/main.ts', 'browserTransport((input, init) => fetch(input, init));'],
    ],
    bad: [
      ['renderer/content/links/store.ts', "const answer = await fetch('/api/urls');"],
      [
        'renderer/content/links/LinksPage.vue',
        '<script setup lang="ts">\nwindow.fetch(\'/api/urls\');\n</script>',
      ],
    ],
  },
  'the server asks others through one fetcher': {
    good: [
      ['server/platform/fetcher/fetcher.ts', "import { request } from 'undici';"],
      ['server/platform/fetcher/guarded-connections.ts', "import { Agent } from 'undici';"],
    ],
    bad: [
      ['server/platform/http/guarded-connections.ts', "import { Agent } from 'undici';"],
      ['server/network/webhooks/deliver.ts', 'await fetch(address);'],
      ['server/network/webhooks/deliver.ts', 'await globalThis.fetch(address);'],
      ['server/network/webhooks/deliver.ts', "import { request } from 'undici';"],
    ],
  },
  'no fs on the live database': {
    good: [['server/platform/database/backup.ts', 'await database.backup(path);']],
    bad: [
      ['server/platform/database/backup.ts', 'copyFileSync(databaseFile, target);'],
      ['server/platform/database/backup.ts', 'await fs.readFile(config.databasePath);'],
      ['server/platform/http/download.ts', "createReadStream(join(folder, 'waypost.db'));"],
    ],
  },
  'values are bound, not pasted into SQL': {
    good: [
      [
        'server/content/links/queries.ts',
        "const columns = 'id, alias';\ndatabase.prepare(`SELECT ${columns} FROM links`);",
      ],
      ['server/content/links/queries.ts', 'database.prepare(`SELECT 1`);'],
      [
        'server/content/links/queries.ts',
        "const orders = { date: 'id' };\nfunction where() { return 'a = @a'; }\nfunction list(order) { const w = where(); database.prepare(`SELECT a FROM b WHERE ${w} ORDER BY ${orders[order] ?? orders.date}`); }",
      ],
    ],
    bad: [
      ['server/content/links/queries.ts', 'database.prepare(`SELECT * FROM links WHERE alias = ${alias}`);'],
      ['server/content/links/queries.ts', 'database.exec(`DROP TABLE ${name}`);'],
      [
        'server/content/links/queries.ts',
        'function a(b) { const c = b.name; database.prepare(`SELECT ${c}`); }',
      ],
      ['server/content/links/queries.ts', 'for (const c of input.columns) database.prepare(`SELECT ${c}`);'],
    ],
  },
  'computed values change nothing': {
    good: [
      [
        'renderer/content/links/store.ts',
        'const a = computed(() => { const b = c.value; return b; });\nconst d = computed({ get: () => e.value, set: (f) => { e.value = f; } });',
      ],
    ],
    bad: [
      [
        'renderer/content/links/store.ts',
        'const a = computed(() => { count.value += 1; return count.value; });',
      ],
      [
        'renderer/content/links/L.vue',
        '<script setup lang="ts">\nconst a = computed(() => (open.value = true));\n</script>',
      ],
    ],
  },
  'files are kebab-case, components PascalCase': {
    good: [
      ['renderer/content/links/LinkForm.vue', ''],
      ['renderer/content/links/use-link-form.ts', ''],
      ['test/server/links.exploit.test.ts', ''],
    ],
    bad: [
      ['renderer/content/links/link-form.vue', ''],
      ['renderer/content/links/useLinkForm.ts', ''],
      ['server/content/links/LinkService.ts', ''],
      ['server/content/links/link_service.ts', ''],
    ],
  },
  'names say what is inside': {
    good: [['server/content/links/alias.ts', '']],
    bad: [
      ['server/content/links/utils.ts', ''],
      ['server/utils/alias.ts', ''],
      ['server/content/links/link-helpers.ts', ''],
      ['main/window-manager.ts', ''],
      ['renderer/common/Button.vue', ''],
    ],
  },
  'no barrel files': {
    good: [['server/index.ts', "import { createApp } from './app.ts';\ncreateApp();"]],
    bad: [
      ['server/content/links/all.ts', "export * from './service.ts';\nexport { a } from './queries.ts';"],
      ['server/content/links/index.ts', 'export const a = 1;'],
    ],
  },
  'migrations are numbered': {
    good: [['server/platform/database/migrations/0001-links.sql', 'CREATE TABLE links (id INTEGER) STRICT;']],
    bad: [
      ['server/platform/database/migrations/links.sql', ''],
      ['server/content/links/queries.sql', ''],
    ],
  },
};

test('every source file keeps the rules of the architecture', { tags: 'long' }, () => {
  expect(violations()).toEqual([]);
});

test('the root folder of the server has only its table of contents', () => {
  const root = new URL('../server/', import.meta.url);
  expect(readdirSync(root).length).toBeLessThanOrEqual(11);
  expect(readFileSync(new URL('app.ts', root), 'utf8').split('\n').length).toBeLessThanOrEqual(151);
});

/** All that a file loads when it runs: the files, and the packages. */
function loadedBy(path: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(path)) return loaded;
  loaded.add(path);
  const text = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
  for (const { specifier, target, typeOnly } of parseSource(path, text).imports) {
    if (typeOnly) continue;
    if (target === undefined) loaded.add(specifier);
    else loadedBy(target, loaded);
  }
  return loaded;
}

test.each([
  'platform/database/checkpoint-thread',
  'platform/database/reader-thread',
  'platform/database/soundness-thread',
  'visits/stats/stats-thread',
  'content/qr/decoder-thread',
  'content/qr/painter-thread',
])('server/%s.ts starts fast: it does not load schemas, which take longer than everything else', (thread) => {
  expect(loadedBy(`server/${thread}.ts`)).not.toContain('zod');
});

test('import cycles are found, type imports included', () => {
  const sources = [
    parseSource('server/a.ts', "import type { B } from './b.ts';"),
    parseSource('server/b.ts', "import { c } from './c.ts';"),
    parseSource('server/c.ts', "import { a } from './a.ts';\nimport { d } from './d.ts';"),
    parseSource('server/d.ts', "import { e } from './e.ts';"),
    parseSource('server/e.ts', ''),
  ];
  expect(circlesOf(sources)).toEqual([['server/a.ts', 'server/b.ts', 'server/c.ts']]);
});

test('duplicate and missing migration numbers are found', () => {
  const named = (...numbers: string[]) =>
    numbers.map((name) => `server/platform/database/migrations/${name}.sql`);
  const first = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '11', '12', '13'].map(
    (n) => `00${n}-a`,
  );
  expect(migrationFaults(named(...first, '0015-a', '0016-a'))).toEqual([]);
  expect(migrationFaults(named('0001-a', '0002-a', '0002-b'))).toEqual([
    'server/platform/database/migrations/0002-b.sql:1 migrations are numbered in order: call it 0003-….sql',
  ]);
  expect(migrationFaults(named(...first, '0016-a'))).toEqual([
    'server/platform/database/migrations/0016-a.sql:1 migrations are numbered in order: call it 0015-….sql',
  ]);
  expect(migrationFaults(named(...first, '0014-a'))[0]).toContain('0014-a');
});

test('every rule has examples', () => {
  expect(Object.keys(samples).sort()).toEqual(rules.map(({ name }) => name).sort());
});

describe.each(Object.entries(samples))('%s', (name, { good, bad }) => {
  test.each(bad)('is violated by %s: %s', (path, text) => {
    expect(violationsOf(path, text).join('\n')).toContain(` ${name}: `);
  });

  test.each(good)('is kept by %s: %s', (path, text) => {
    expect(violationsOf(path, text)).toEqual([]);
  });
});

test('a finding names the line in the file, even below a template', () => {
  const text = '<template>\n  <p />\n</template>\n\n<script setup lang="ts">\nawait fetch(a);\n</script>\n';
  expect(violationsOf('renderer/ui/Text.vue', text)).toEqual([
    expect.stringMatching(/^renderer\/ui\/Text\.vue:6 the renderer asks the server in renderer\/api: /),
  ]);
});
