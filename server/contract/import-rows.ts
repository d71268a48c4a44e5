import { textOfCell } from './csv-cells.ts';
import type { CsvTable } from './csv-table.ts';
import { type ImportRow, maxImportRows } from './import.ts';
import { type ColumnMapping, type FileShape, namesAddresses } from './import-columns.ts';

/** Why a row cannot be sent to the server. */
export type RowFault =
  | 'no_url'
  | 'url_too_long'
  | 'alias_too_long'
  | 'title_too_long'
  | 'broken_settings'
  | 'unclosed_quote';

/** A row of the file, either ready to be sent or with the reason why it cannot be. */
export interface FileRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly row: ImportRow;
  readonly fault?: RowFault;
}

/** Field limits (contract/import.ts): a single row above them would cause its whole batch to be rejected. */
const limits = {
  url: 20_000,
  alias: 1000,
  title: 5000,
  note: 20_000,
  description: 20_000,
  campaign: 500,
  tag: 500,
  tags: 100,
  domain: 300,
  utm: 100,
  time: 40,
  timezone: 100,
};

/** Maximum bytes per request; the server accepts 1 MB of JSON (decision 0003). */
const sliceBytes = 700_000;
/** Maximum bytes of a row's settings, so that the row fits into a request. */
const settingsBytes = 600_000;
/** Maximum values per request, as `shapeOfJson` counts them; the server accepts 50,000. */
const sliceValues = 45_000;
/** Maximum values of a row's settings, so that the row fits into a request. */
const settingsValues = 40_000;
/** Maximum nesting of a row's settings; the server accepts 32 levels, of which the request around them takes three. */
const settingsDepth = 28;
/** Maximum keys of one object in a row's settings, as of any in a request. */
const settingsKeys = 1_000;

/** Converts a file's records to rows, in the same order. `timezone` is the account's. */
export function fileRows(
  table: CsvTable,
  shape: Pick<FileShape, 'hasHeader'>,
  mapping: ColumnMapping,
  timezone: string,
): FileRow[] {
  const aliasName = table.records[0]?.cells[mapping.alias ?? -1] ?? '';
  const addressOf = shape.hasHeader && namesAddresses(aliasName) ? withScheme : (text: string) => text;
  const rows = table.records.slice(shape.hasHeader ? 1 : 0).map(({ line, cells }): FileRow => {
    const written = textOfCell(cells[mapping.settings ?? -1] ?? '').trim();
    const settings = written === '' ? undefined : settingsOf(written);
    const row = { ...importRowOf(cells, mapping, timezone, addressOf), ...(settings && { settings }) };
    const fault = written !== '' && !settings ? 'broken_settings' : faultOf(row);
    return fault ? { line, cells, row, fault } : { line, cells, row };
  });
  if (table.brokenFrom !== undefined) {
    rows.push({ line: table.brokenFrom, cells: [], row: { url: '' }, fault: 'unclosed_quote' });
  }
  return rows;
}

/** Splits rows into requests that the server accepts: of at most 200 rows, 700 kB and 45,000 values. */
export function slicesOf(rows: readonly FileRow[]): FileRow[][] {
  const slices: FileRow[][] = [];
  let slice: FileRow[] = [];
  let [bytes, values] = [0, 0];
  for (const row of rows) {
    const text = JSON.stringify(row.row);
    const [rowBytes, rowValues] = [byteLength(text) + 1, shapeOfJson(text).values + 1];
    const isFull =
      slice.length === maxImportRows || bytes + rowBytes > sliceBytes || values + rowValues > sliceValues;
    if (isFull && slice.length > 0) {
      slices.push(slice);
      slice = [];
      [bytes, values] = [0, 0];
    }
    slice.push(row);
    bytes += rowBytes;
    values += rowValues;
  }
  if (slice.length > 0) slices.push(slice);
  return slices;
}

function importRowOf(
  cells: readonly string[],
  mapping: ColumnMapping,
  ownTimezone: string,
  addressOf: (text: string) => string,
): ImportRow {
  const cell = (index: number | undefined, most?: number) =>
    index === undefined ? '' : storable(textOfCell(cells[index] ?? '').trim(), most);
  const named = cell(mapping.timezone, limits.timezone);
  // An unknown one is left for the server to refuse with a sentence.
  const timezone = isTimezone(named) ? named : ownTimezone;
  const address = addressOf(cell(mapping.alias));
  const alias = aliasOf(address);
  const note = cell(mapping.note, limits.note);
  const description = cell(mapping.description, limits.description);
  const campaign = cell(mapping.campaign, limits.campaign);
  // A title is one line; spaces within it are kept.
  const title = cell(mapping.title)
    .split(/[\t\r\n]+/)
    .map((line) => line.trim())
    .join(' ');
  const tags = tagsOf(cell(mapping.tags));
  const domain = cell(mapping.domain);
  const shorthost = domain ? '' : hostOf(address);
  const utm = cell(mapping.utm, limits.utm);
  const date = timestampOf(cell(mapping.date), timezone);
  const archiveon = plannedTime(cell(mapping.archiveon), timezone);
  const deleteon = plannedTime(cell(mapping.deleteon), timezone);
  const isArchived = /^(?:true|yes|1)$/i.test(cell(mapping.archived));
  const isProtected = !noValue.test(cell(mapping.protected));
  const ends = cell(mapping.expiry);
  // The server interprets a date alone as the end of that day.
  const expiry = /^\d{4}-\d\d-\d\d$/.test(ends) ? ends : plannedTime(ends, timezone);
  return {
    url: cell(mapping.url),
    ...(alias && { alias }),
    ...(title && { title }),
    ...(description && { description }),
    ...(note && { note }),
    ...(tags.length > 0 && { tags }),
    // Shlink writes DEFAULT, or nothing, for a link on the server's own domain.
    ...(domain && domain.toUpperCase() !== 'DEFAULT' && domain.length <= limits.domain && { domain }),
    ...(shorthost && shorthost.length <= limits.domain && { shorthost }),
    ...(campaign && { campaign }),
    ...(date && { date }),
    ...(expiry && { expiry }),
    ...(archiveon && { archiveon }),
    ...(deleteon && { deleteon }),
    ...(isArchived && { archived: true }),
    ...(isProtected && { protected: true }),
    ...(named && { timezone: named }),
    ...(utm && { utm }),
  };
}

/**
 * The alias itself, or the whole path of a short URL: `https://go.example/docs/start` becomes `docs/start`, so that
 * printed URLs keep working.
 */
function aliasOf(text: string): string {
  if (!/^https?:\/\//i.test(text)) return withoutSlashes(text);
  try {
    const [path = ''] = text.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
    return storable(decodeURIComponent(withoutSlashes(path)));
  } catch {
    // An invalid short URL: the server generates an alias.
    return '';
  }
}

/** Adds a scheme to a URL without one, such as `bit.ly/spring`; other text is unchanged. */
function withScheme(text: string): string {
  return /^[\p{L}\p{N}.-]+\.\p{L}{2,}(?::\d+)?\//u.test(text) ? `https://${text}` : text;
}

/** The host of a full short URL; '' for an alias. */
function hostOf(address: string): string {
  return /^https?:\/\/(?:[^/?#]*@)?([^/?#@]+)/i.exec(address)?.[1]?.toLowerCase() ?? '';
}

/** Without leading and trailing ones. A pattern for trailing ones would take quadratic time on long runs of slashes. */
function withoutSlashes(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text[start] === '/') start += 1;
  while (end > start && text[end - 1] === '/') end -= 1;
  return text.slice(start, end);
}

/**
 * Splits tags as written by Shlink and `tagsCell` (`a|b`), or separated by commas or semicolons, without duplicates.
 */
function tagsOf(text: string): string[] {
  const parts = text.includes('|') ? (text.match(/(?:\\[\\|]|[^|])+/g) ?? []) : text.split(/[,;]/);
  const tags = parts
    .map((tag) => tag.replace(/\\([\\|])/g, '$1').trim())
    .filter((tag) => tag !== '' && tag.length <= limits.tag);
  return [...new Set(tags)].slice(0, limits.tags);
}

/** Joins channel names for `tagsOf`; the trailing bar indicates that commas are not separators. */
export function tagsCell(names: readonly string[]): string {
  const cell = names.map((name) => name.replace(/[\\|]/g, '\\$&')).join('|');
  return !cell.includes('|') && /[,;\\]/.test(cell) ? `${cell}|` : cell;
}

/**
 * A text of at most `most` characters without those that the server does not store: NUL, and halves of a character. It
 * would refuse the whole request because of one.
 */
function storable(text: string, most = text.length): string {
  return text.slice(0, most).replace(/[\0\p{Cs}]/gu, '');
}

/** Parses a cell's settings; undefined if it is not a JSON object, or one that no request has room for. */
function settingsOf(text: string): Record<string, unknown> | undefined {
  if (byteLength(text) > settingsBytes) return undefined;
  const { values, depth, keys } = shapeOfJson(text);
  if (values > settingsValues || depth > settingsDepth || keys > settingsKeys) return undefined;
  try {
    const value: unknown = JSON.parse(text, (_key, each) =>
      typeof each === 'string' ? storable(each) : each,
    );
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function faultOf(row: ImportRow): RowFault | undefined {
  if (row.url === '') return 'no_url';
  if (row.url.length > limits.url) return 'url_too_long';
  if ((row.alias ?? '').length > limits.alias) return 'alias_too_long';
  if ((row.title ?? '').length > limits.title) return 'title_too_long';
  return undefined;
}

/** What others write where nothing is set. */
const noValue = /^(?:|0|-|n\/?a|no|none|never|null|false|0000-00-00.*)$/i;

/**
 * The same for an expiry date. An unparsable one is passed on for the server to reject, because a link that should
 * expire must not stay active unnoticed.
 */
function plannedTime(text: string, timezone: string): string {
  return noValue.test(text) ? '' : timestampOf(text, timezone) || storable(text, limits.time);
}

/**
 * Parses a date to `YYYY-MM-DD HH:MM:SS` in the account's time zone, or '' if invalid. A date without a time zone is
 * taken as local to the account.
 */
function timestampOf(text: string, timezone: string): string {
  const plain = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?(?:\.\d+)?)?$/.exec(text);
  if (plain) return `${plain[1]} ${plain[2] ?? '00:00'}${plain[3] ?? ':00'}`;
  // Unix time in seconds or milliseconds.
  const instant = /^\d{10}$/.test(text)
    ? Number(text) * 1000
    : /^\d{13}$/.test(text)
      ? Number(text)
      : Date.parse(text);
  if (Number.isNaN(instant)) return '';
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return format.format(instant);
}

function isTimezone(name: string): boolean {
  try {
    return name !== '' && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The size of a JSON text as the server bounds it: its commas, colons and opening brackets, how deep these go, and the
 * keys of the object that has the most.
 */
function shapeOfJson(text: string): { values: number; depth: number; keys: number } {
  let [values, depth, deepest, mostKeys] = [0, 0, 0, 0];
  const keys: number[] = [];
  let isInText = false;
  let isEscaped = false;
  for (const symbol of text) {
    if (isInText) {
      if (isEscaped) isEscaped = false;
      else if (symbol === '\\') isEscaped = true;
      else if (symbol === '"') isInText = false;
    } else if (symbol === '"') {
      isInText = true;
    } else if (symbol === ',') {
      values += 1;
    } else if (symbol === ':') {
      values += 1;
      keys[depth] = (keys[depth] ?? 0) + 1;
      mostKeys = Math.max(mostKeys, keys[depth] ?? 0);
    } else if (symbol === '[' || symbol === '{') {
      values += 1;
      depth += 1;
      keys[depth] = 0;
      deepest = Math.max(deepest, depth);
    } else if (symbol === ']' || symbol === '}') {
      depth -= 1;
    }
  }
  return { values, depth: deepest, keys: mostKeys };
}

/** Bytes of a text in UTF-8. */
function byteLength(text: string): number {
  let bytes = 0;
  for (const symbol of text) {
    const code = symbol.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
