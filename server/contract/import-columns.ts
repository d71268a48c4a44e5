import { textOfCell } from './csv-cells.ts';
import type { CsvTable } from './csv-table.ts';

/** The possible meanings of a column. */
export const importFields = [
  'url',
  'alias',
  'title',
  'description',
  'note',
  'tags',
  'campaign',
  'domain',
  'date',
  'utm',
  'expiry',
  'archiveon',
  'deleteon',
  'archived',
  'protected',
  'timezone',
  'settings',
] as const;
export type ImportField = (typeof importFields)[number];

/** The zero-based column index of each field. */
export type ColumnMapping = Partial<Record<ImportField, number>>;

export type FileFormat = 'shlink' | 'csv';

export interface FileShape {
  readonly format: FileFormat;
  /** The column names as in the file; empty strings if there is no header. */
  readonly columns: readonly string[];
  readonly hasHeader: boolean;
  readonly mapping: ColumnMapping;
}

/** The names of columns that the mapping does not use. */
export function unreadColumns({ columns }: Pick<FileShape, 'columns'>, mapping: ColumnMapping): string[] {
  const read = new Set(Object.values(mapping));
  return columns.filter((name, index) => name !== '' && !read.has(index));
}

/** Names of columns that contain full short URLs, with or without `https://`. */
const addressNames = ['shorturl', 'shortlink', 'bitlink', 'tinyurl'];

/** Column names used by other services, without case, spaces and punctuation; the first match wins. */
const knownNames: Record<ImportField, readonly string[]> = {
  url: [
    'longurl',
    'destination',
    'destinationurl',
    'originalurl',
    'targeturl',
    'target',
    'longlink',
    'fullurl',
    'url',
    'address',
    'link',
  ],
  alias: [
    'shortcode',
    'alias',
    'slug',
    'customslug',
    'keyword',
    'key',
    'code',
    'backhalf',
    'customalias',
    'slashtag',
    'path',
    'shortid',
    ...addressNames,
  ],
  title: ['title', 'name', 'pagetitle', 'linktitle'],
  description: ['description'],
  campaign: ['campaign', 'campaignname'],
  expiry: [
    'expiry',
    'expires',
    'expiresat',
    'expiration',
    'expirationdate',
    'expirydate',
    'expirein',
    'validuntil',
  ],
  settings: ['settings'],
  note: ['note', 'notes', 'comment', 'comments'],
  tags: ['tags', 'tag', 'channels', 'channel', 'labels', 'categories', 'category', 'group'],
  domain: ['domain', 'host', 'shortdomain'],
  utm: ['utm', 'utmtemplate'],
  archiveon: ['archiveon', 'archivedate'],
  deleteon: ['deleteon', 'deletedate'],
  archived: ['archived', 'isarchived'],
  protected: ['protected', 'passwordprotected', 'ispasswordprotected', 'haspassword', 'password'],
  timezone: ['timezone'],
  date: ['createdat', 'datecreated', 'creationdate', 'created', 'date', 'timestamp'],
};

/**
 * Detects the meaning of a file's columns. A file is Shlink's if it has a long URL and a short code column; header
 * names are compared without case, spaces and punctuation, in any order.
 */
export function shapeOf(table: CsvTable): FileShape {
  const first = table.records[0]?.cells ?? [];
  const width = Math.max(0, ...table.records.slice(0, 50).map((record) => record.cells.length));
  const hasHeader = !first.some((cell) => isAddress(cell));
  const columns = Array.from({ length: width }, (_, index) => (hasHeader ? (first[index] ?? '').trim() : ''));
  const named = hasHeader ? mappingByName(columns) : mappingByContent(table, width);
  const mapping = withOwnSettings(named, table, hasHeader);
  const names = new Set(columns.map(comparable));
  const isShlink = names.has('longurl') && (names.has('shortcode') || names.has('shorturl'));
  return { format: isShlink ? 'shlink' : 'csv', columns, hasHeader, mapping };
}

/** Whether a column name is one for full short URLs. */
export function namesAddresses(name: string): boolean {
  return addressNames.includes(comparable(name));
}

/** Whether the mapping is sufficient for an import; a column with the destination is required. */
export function isComplete(mapping: ColumnMapping): boolean {
  return mapping.url !== undefined;
}

function mappingByName(columns: readonly string[]): ColumnMapping {
  const names = columns.map(comparable);
  const mapping: ColumnMapping = {};
  const taken = new Set<number>();
  for (const field of importFields) {
    for (const name of knownNames[field]) {
      const index = names.indexOf(name);
      if (index === -1 || taken.has(index)) continue;
      mapping[field] = index;
      taken.add(index);
      break;
    }
  }
  // Kutt has `target` for the destination and `address` for the alias.
  const address = names.indexOf('address');
  if (mapping.alias === undefined && address !== -1 && names[mapping.url ?? -1] === 'target')
    mapping.alias = address;
  return mapping;
}

/**
 * Drops the settings column if it is not ours: other services use the name for plain text. Ours contains JSON objects,
 * so the column counts as ours if any cell starts like one.
 */
function withOwnSettings(mapping: ColumnMapping, { records }: CsvTable, hasHeader: boolean): ColumnMapping {
  const { settings, ...others } = mapping;
  if (settings === undefined) return mapping;
  const cells = records
    .slice(hasHeader ? 1 : 0)
    .map((record) => textOfCell(record.cells[settings] ?? '').trim());
  const isOurs = cells.some((cell) => cell.startsWith('{')) || cells.every((cell) => cell === '');
  return isOurs ? mapping : others;
}

/** Without a header, only URLs can be recognized. */
function mappingByContent(table: CsvTable, width: number): ColumnMapping {
  const sample = table.records.slice(0, 50);
  const counts = Array.from(
    { length: width },
    (_, index) => sample.filter((record) => isAddress(record.cells[index] ?? '')).length,
  );
  const most = Math.max(0, ...counts);
  return most === 0 ? {} : { url: counts.indexOf(most) };
}

function comparable(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function isAddress(cell: string): boolean {
  return /^https?:\/\/\S+$/i.test(cell.trim());
}
