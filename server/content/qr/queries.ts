import type { QrType } from '../../contract/qr-content.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Reader } from '../../platform/database/reader.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import { caseFold } from '../../platform/text/case-fold.ts';

/** The editable fields of a code, as stored. */
export interface QrRecord {
  alias: string;
  domain_id: number | null;
  name: string;
  type: QrType;
  /** JSON: see `StoredContent`. */
  data: string;
  link_id: number | null;
  dynamic: 0 | 1;
  /** JSON: see `QrStyle`. */
  style: string;
  /** The logo's address, `data:` for one that was sent itself. */
  logo: string | null;
  logo_image: Buffer | null;
  search: string;
}

export interface QrRow extends QrRecord {
  id: number;
  user_id: number;
  scans: number;
  scanned_at: number | null;
  revision: number;
  created_at: number;
  version: number;
  created_by?: number | null;
  updated_by?: number | null;
  /** Host of the code's domain; null on the instance's own address. */
  host: string | null;
  /** The link that it leads to; null if there is none or it is in the trash. */
  link_alias: string | null;
  link_host: string | null;
}

/** A code as lists show it: without its pictures, a thousand of which would be megabytes. */
export type ListedQr = Omit<QrRow, 'style' | 'logo' | 'logo_image' | 'search'>;

export interface QrFilter {
  q?: string | undefined;
  type?: QrType | undefined;
}

const source = `qr_codes
  LEFT JOIN domains ON domains.id = qr_codes.domain_id
  LEFT JOIN links ON links.id = qr_codes.link_id AND links.trashed_at IS NULL
  LEFT JOIN domains AS link_domains ON link_domains.id = links.domain_id`;
const foreignColumns = 'domains.host AS host, links.alias AS link_alias, link_domains.host AS link_host';
const columns = `qr_codes.*, ${foreignColumns}`;
const listedColumns = `qr_codes.id, qr_codes.user_id, qr_codes.alias, qr_codes.domain_id, qr_codes.name, qr_codes.type,
  qr_codes.data, qr_codes.link_id, qr_codes.dynamic, qr_codes.scans, qr_codes.scanned_at, qr_codes.revision,
  qr_codes.created_at, qr_codes.version, qr_codes.created_by, qr_codes.updated_by, ${foreignColumns}`;
const matches = `qr_codes.user_id = @user AND qr_codes.leaving = 0 AND (@type IS NULL OR qr_codes.type = @type)
  AND (@q IS NULL OR instr(qr_codes.search, @q) > 0)
  AND (@member IS NULL OR ifnull(qr_codes.created_by, qr_codes.user_id) = @member)`;

const listSql = {
  rows: `SELECT ${listedColumns} FROM ${source} WHERE ${matches}
    ORDER BY qr_codes.id DESC LIMIT @limit OFFSET @offset`,
  total: `SELECT count(*) AS total FROM qr_codes WHERE ${matches}`,
};

/** The list of QR codes, read in the reader's thread. */
export function qrLists(reader: Reader) {
  return {
    list: (user: number, { q, type }: QrFilter, page: ListPage): Promise<Page<ListedQr>> =>
      reader.page(listSql, { user, q: q === undefined ? null : caseFold(q), type: type ?? null, ...page }),
  };
}

export type QrLists = ReturnType<typeof qrLists>;

/** SQL of QR codes. Statements of a user's codes carry the user's id; the public ones say so. */
export function qrQueries(database: Connection) {
  const byId = database.prepare<[number, number], QrRow>(
    `SELECT ${columns} FROM ${source} WHERE qr_codes.id = ? AND qr_codes.user_id = ? AND qr_codes.leaving = 0`,
  );
  const count = database
    .prepare<[number], number>('SELECT count(*) FROM qr_codes WHERE user_id = ? AND leaving = 0')
    .pluck();
  const taken = database
    .prepare<[string, number], number>('SELECT EXISTS (SELECT 1 FROM qr_codes WHERE alias = ? AND id <> ?)')
    .pluck();
  const insert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO qr_codes (user_id, alias, domain_id, name, type, data, link_id, dynamic, style, logo, logo_image,
       search, created_at)
     VALUES (@user, @alias, @domain_id, @name, @type, @data, @link_id, @dynamic, @style, @logo, @logo_image,
       @search, @at)`,
  );
  const reinsert = database.prepare<[Record<string, unknown>]>(
    `INSERT INTO qr_codes (id, user_id, alias, domain_id, name, type, data, link_id, dynamic, style, logo, logo_image,
       search, scans, scanned_at, revision, created_at)
     VALUES (@id, @user_id, @alias, @domain_id, @name, @type, @data, @link_id, @dynamic, @style, @logo, @logo_image,
       @search, @scans, @scanned_at, @revision, @created_at)`,
  );
  const update = database.prepare<[Record<string, unknown>]>(
    `UPDATE qr_codes SET alias = @alias, domain_id = @domain_id, name = @name, type = @type, data = @data,
       link_id = @link_id, dynamic = @dynamic, style = @style, logo = @logo, logo_image = @logo_image,
       search = @search, revision = revision + 1
     WHERE id = @id AND revision = @revision`,
  );
  const remove = database.prepare<[number, number]>('DELETE FROM qr_codes WHERE id = ? AND user_id = ?');
  const days = database.prepare<[number, number], { day: number; scans: number }>(
    'SELECT day, scans FROM qr_scans WHERE qr_id = ? AND day > ? ORDER BY day',
  );
  const hostOf = database.prepare<[number], string>('SELECT host FROM domains WHERE id = ?').pluck();
  const publicById = database.prepare<[number], QrRow>(
    `SELECT ${columns} FROM ${source} WHERE qr_codes.id = ? AND qr_codes.leaving = 0`,
  );
  return {
    find: (id: number, userId: number): QrRow | undefined => byId.get(id, userId),
    count: (userId: number): number => count.get(userId) ?? 0,
    /** Whether another code has an alias. */
    isTaken: (alias: string, exceptId: number): boolean => taken.get(alias, exceptId) === 1,
    insert: (userId: number, record: QrRecord, at: number): number =>
      Number(insert.run({ ...record, user: userId, at }).lastInsertRowid),
    /** Stores an update of the code at `revision`; false if somebody else has changed it since. */
    update: (id: number, record: QrRecord, revision: number): boolean =>
      update.run({ ...record, id, revision }).changes === 1,
    remove: (id: number, userId: number): void => void remove.run(id, userId),
    /** Puts a code that was removed back under its id. */
    reinsert: (row: QrRow): void => void reinsert.run({ ...row }),
    /** Scans of each day (days since 1970, UTC) after one, oldest first. */
    daysAfter: (id: number, day: number): { day: number; scans: number }[] => days.all(id, day),
    hostOf: (domainId: number): string | undefined => hostOf.get(domainId),
    /** A code by its address, for visitors, whoever owns it. */
    findPublic: (id: number): QrRow | undefined => publicById.get(id),
  };
}

export type QrQueries = ReturnType<typeof qrQueries>;
