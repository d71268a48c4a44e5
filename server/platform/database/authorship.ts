import type { Authored, AuthoredResource } from '../../contract/roles.ts';
import type { EditedResource } from '../../contract/versions.ts';
import type { Connection } from './connect.ts';
import { authoredTables, type EditedTable, otherTables } from './edited-tables.ts';

/**
 * Records who creates and changes a record, and counts its edits, for every statement of this connection:
 * `actingPerson` returns the person of the current request. Uses temporary triggers, so that the database file does
 * not depend on a function of this program.
 */
export function noteEdits(database: Connection, actingPerson: () => number | undefined): void {
  database.function('acting_person', () => actingPerson() ?? null);
  const note = 'version = version + 1, updated_by = ifnull(acting_person(), updated_by)';
  const makeTriggers = () => {
    for (const authored of Object.values(authoredTables)) {
      database.exec(creatorSql(authored));
      database.exec(editsSql(authored, note));
    }
    for (const other of Object.values(otherTables)) database.exec(editsSql(other, 'version = version + 1'));
    database.exec(`
    CREATE TEMP TRIGGER changes_creator AFTER INSERT ON main.changes
    WHEN acting_person() IS NOT NULL AND acting_person() IS NOT new.user_id BEGIN
      UPDATE changes SET created_by = acting_person() WHERE id = new.id;
    END;`);
  };
  // SQLite would write its temporary schema to disk after each of them.
  database.transaction(makeTriggers)();
}

// Personal accounts store no creator: NULL means their owner.
function creatorSql({ table }: EditedTable): string {
  return `
    CREATE TEMP TRIGGER ${table}_creator AFTER INSERT ON main.${table}
    WHEN new.created_by IS NULL AND acting_person() IS NOT NULL AND acting_person() IS NOT new.user_id BEGIN
      UPDATE ${table} SET created_by = acting_person() WHERE id = new.id;
    END;`;
}

// Services write all columns of a record: only a changed value is an edit.
function editsSql({ table, key, edited, only = 'true', parts = [] }: EditedTable, note: string): string {
  const of = (row: 'new' | 'old', columns: readonly string[]) =>
    `(${columns.map((column) => `${row}.${column}`).join(', ')})`;
  const ofRecord = `
    CREATE TEMP TRIGGER ${table}_edit AFTER UPDATE OF ${edited.join(', ')} ON main.${table}
    WHEN ${of('new', edited)} IS NOT ${of('old', edited)} AND ${only} BEGIN
      UPDATE ${table} SET ${note} WHERE (${key.join(', ')}) = ${of('new', key)};
    END;`;
  const ofParts = parts.flatMap((part) => {
    const events = ['INSERT', 'DELETE', ...(part.edited === undefined ? [] : [`UPDATE OF ${part.edited}`])];
    return events.map(
      (event, index) => `
    CREATE TEMP TRIGGER ${part.table}_edit_${index} AFTER ${event} ON main.${part.table} BEGIN
      UPDATE ${table} SET ${note} WHERE id = ${event === 'DELETE' ? 'old' : 'new'}.${part.owner};
    END;`,
    );
  });
  return [ofRecord, ...ofParts].join('');
}

/** Looks up the creators of records. */
export function creators(database: Connection) {
  const byId = new Map(
    Object.entries(authoredTables).map(([resource, { table }]) => [
      resource as Authored,
      database.prepare<[number, number], number>(creatorOfSql(table)).pluck(),
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
    /** A person's display name; undefined if they no longer exist. */
    nameOf: (person: number): string | undefined => name.get(person),
    /**
     * The person who created a record of an account, including records in the trash; undefined if the record does not
     * exist.
     */
    creatorOf: (resource: Authored, id: number, accountId: number): number | undefined =>
      byId.get(resource)?.get(id, accountId) ?? removed.get(resource, id, accountId),
  };
}

export type Creators = ReturnType<typeof creators>;

function creatorOfSql(table: string): string {
  return `SELECT ifnull(created_by, user_id) FROM ${table} WHERE id = ? AND user_id = ?`;
}

/** Stores the authors and version of a record with its trash entry, and restores them. */
export function markKeeping(database: Connection) {
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
  return `UPDATE removals SET (created_by, updated_by, version) = (SELECT created_by, updated_by, version FROM ${table} WHERE id = @id)
    WHERE resource = @resource AND record_id = @id`;
}

function restoreSql(table: string): string {
  return `UPDATE ${table} SET (created_by, updated_by, version) =
      (SELECT created_by, updated_by, ifnull(version, 1) + 1 FROM removals WHERE resource = @resource AND record_id = @id)
    WHERE id = @id`;
}

/**
 * Looks up the versions of records; `key` is in the order of the columns that identify a record. Undefined for records
 * that do not exist.
 */
export function recordVersions(database: Connection) {
  const statements = new Map(
    Object.entries({ ...authoredTables, ...otherTables }).map(([resource, edited]) => [
      resource,
      database.prepare<number[], number>(versionSql(edited)).pluck(),
    ]),
  );
  return (resource: EditedResource, key: readonly number[]): number | undefined =>
    statements.get(resource)?.get(...key);
}

export type RecordVersions = ReturnType<typeof recordVersions>;

function versionSql({ table, key }: EditedTable): string {
  return `SELECT version FROM ${table} WHERE ${key.map((column) => `${column} = ?`).join(' AND ')}`;
}
