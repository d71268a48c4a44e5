import { migrations } from '../../server/platform/database/migrations.ts';
import { openDatabases } from '../../server/platform/database/open.ts';

/** The schema from before names were folded, aliases repaired and bytes counted: all of that is done to every link. */
const earlierVersion = 9;

/** Makes a data folder as an earlier version left it, with an account and so many links, `/link-0` and so on. */
export function earlierData(folder: string, links: number): void {
  const databases = openDatabases({
    folder,
    migrations: migrations.filter(({ version }) => version <= earlierVersion),
    newId: () => 'earlier',
    now: () => Date.UTC(2026, 0, 1),
  });
  const { main } = databases;
  main.transaction(() => {
    main.exec(
      `INSERT INTO users (email, email_folded, username, username_folded, name, password_hash, plan_id, registered_at, timezone)
       VALUES ('anna@example.com', 'anna@example.com', 'anna', 'anna', 'Anna', 'none', 2, 0, 'UTC')`,
    );
    const link = main.prepare<[string, string, string]>(
      `INSERT INTO links (user_id, alias, url, title, search, created_at, updated_at)
       VALUES (1, ?, ?, ?, '', 0, 0)`,
    );
    const alias = main.prepare<[string, number | bigint]>(
      `INSERT INTO aliases (domain_id, alias, kind, target_id) VALUES (0, ?, 'link', ?)`,
    );
    for (let index = 0; index < links; index += 1) {
      const name = `link-${index}`;
      const { lastInsertRowid } = link.run(name, `https://example.com/${name}`, `Straße ${'x'.repeat(200)}`);
      alias.run(name, lastInsertRowid);
    }
  })();
  databases.close();
}
