import type { Authored, AuthoredResource } from '../../contract/roles.ts';
import type { Connection } from './connect.ts';

interface AuthoredTable {
  table: string;
  /** The columns that a person changes; counters and what a job finds out are not among them. */
  edited: readonly string[];
}

/** What of a link is somebody's work. */
export const editedLinkColumns = [
  'alias',
  'domain_id',
  'url',
  'title',
  'description',
  'note',
  'type',
  'password_hash',
  'status',
  'expires_at',
  'not_before_at',
  'click_limit',
  'expiration_url',
  'redirect_status',
  'forward_query',
  'archived',
  'locked',
  'rules',
  'abtesting',
  'parameters',
  'deeplink',
  'meta_title',
  'meta_description',
  'meta_image',
  'pixels',
  'campaign_id',
  'trashed_at',
] as const;

/** Where the records of an account are, and what of them is somebody's work. */
const authoredTables: Readonly<Record<AuthoredResource, AuthoredTable>> = {
  links: {
    table: 'links',
    edited: editedLinkColumns,
  },
  campaigns: { table: 'campaigns', edited: ['name', 'slug', 'public', 'domain_id'] },
  channels: { table: 'channels', edited: ['name', 'description', 'color', 'starred'] },
  pixels: { table: 'pixels', edited: ['name', 'tag'] },
  overlays: { table: 'overlays', edited: ['type', 'name', 'position', 'colors', 'content'] },
  splash: {
    table: 'splash_pages',
    edited: ['name', 'title', 'message', 'product', 'avatar', 'banner', 'counter'],
  },
  qr: { table: 'qr_codes', edited: ['domain_id', 'name', 'type', 'data', 'link_id', 'style', 'logo'] },
  bio: {
    table: 'bio_pages',
    edited: ['domain_id', 'alias', 'name', 'title', 'description', 'avatar', 'theme', 'colors', 'blocks'],
  },
  files: { table: 'files', edited: ['name', 'password_hash', 'expires_at', 'max_downloads'] },
  domains: { table: 'domains', edited: ['redirect_root', 'redirect_404', 'bio_id', 'disabled'] },
  webhooks: { table: 'webhooks', edited: ['url', 'events', 'enabled'] },
};

/**
 * Writes down who creates and who changes a record, for every statement of this connection: `actingPerson` is asked for the
 * person of the request that is under way. Temporary triggers, so that the database needs no function of this program.
 */
export function noteAuthors(database: Connection, actingPerson: () => number | undefined): void {
  database.function('acting_person', () => actingPerson() ?? null);
  for (const authored of Object.values(authoredTables)) database.exec(triggersSql(authored));
  database.exec(`
    CREATE TEMP TRIGGER changes_creator AFTER INSERT ON main.changes
    WHEN acting_person() IS NOT NULL AND acting_person() IS NOT new.user_id BEGIN
      UPDATE changes SET created_by = acting_person() WHERE id = new.id;
    END;`);
}

// In a personal account no creator is written: NULL is its person.
function triggersSql({ table, edited }: AuthoredTable): string {
  return `
    CREATE TEMP TRIGGER ${table}_creator AFTER INSERT ON main.${table}
    WHEN new.created_by IS NULL AND acting_person() IS NOT NULL AND acting_person() IS NOT new.user_id BEGIN
      UPDATE ${table} SET created_by = acting_person() WHERE id = new.id;
    END;
    CREATE TEMP TRIGGER ${table}_editor AFTER UPDATE OF ${edited.join(', ')} ON main.${table}
    WHEN acting_person() IS NOT NULL AND new.updated_by IS NOT acting_person() BEGIN
      UPDATE ${table} SET updated_by = acting_person() WHERE id = new.id;
    END;`;
}

/** Finds the creators of records. */
export function creators(database: Connection) {
  const byId = new Map(
    Object.entries(authoredTables).map(([resource, { table }]) => [
      resource as Authored,
      database.prepare<[number, number], number>(creatorSql(table)).pluck(),
    ]),
  );
  byId.set(
    'cases',
    database
      .prepare<[number, number], number>(
        `SELECT ifnull(links.created_by, links.user_id) FROM link_cases JOIN links ON links.id = link_id
         WHERE link_cases.id = ? AND links.user_id = ?`,
      )
      .pluck(),
  );
  const removed = database
    .prepare<[string, number, number], number>(
      'SELECT ifnull(created_by, user_id) FROM removals WHERE resource = ? AND record_id = ? AND user_id = ?',
    )
    .pluck();
  const name = database
    .prepare<[number], string>(
      `SELECT iif(name = '', username, name) FROM users WHERE id = ? AND kind = 'person' AND removed_at IS NULL`,
    )
    .pluck();
  return {
    /** What a person is called; undefined for who is gone. */
    nameOf: (person: number): string | undefined => name.get(person),
    /** The person who created a record of an account, one that can be restored included; undefined where there is none. */
    creatorOf: (resource: Authored, id: number, accountId: number): number | undefined =>
      byId.get(resource)?.get(id, accountId) ?? removed.get(resource, id, accountId),
  };
}

export type Creators = ReturnType<typeof creators>;

function creatorSql(table: string): string {
  return `SELECT ifnull(created_by, user_id) FROM ${table} WHERE id = ? AND user_id = ?`;
}

/** Keeps the authors of a record with what can be restored of it, and gives them back. */
export function authorKeeping(database: Connection) {
  const statements = new Map(
    Object.entries(authoredTables).map(([resource, { table }]) => [
      resource,
      {
        keep: database.prepare<[{ resource: string; id: number }]>(keepSql(table)),
        restore: database.prepare<[{ resource: string; id: number }]>(restoreSql(table)),
      },
    ]),
  );
  return {
    keep: (resource: AuthoredResource, id: number): void =>
      void statements.get(resource)?.keep.run({ resource, id }),
    restore: (resource: AuthoredResource, id: number): void =>
      void statements.get(resource)?.restore.run({ resource, id }),
  };
}

function keepSql(table: string): string {
  return `UPDATE removals SET (created_by, updated_by) = (SELECT created_by, updated_by FROM ${table} WHERE id = @id)
    WHERE resource = @resource AND record_id = @id`;
}

function restoreSql(table: string): string {
  return `UPDATE ${table} SET (created_by, updated_by) =
      (SELECT created_by, updated_by FROM removals WHERE resource = @resource AND record_id = @id)
    WHERE id = @id`;
}
