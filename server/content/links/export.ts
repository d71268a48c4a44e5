import { csvLine } from '../../contract/csv-cells.ts';
import { tagsCell } from '../../contract/import-rows.ts';
import { settingsOf } from '../../contract/link-settings.ts';
import { planRequired } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { SentFile } from '../../platform/http/sent-file.ts';
import { offsetAt, presentDate, toUtc } from '../../platform/http/timestamps.ts';
import { storedRules } from '../../visits/redirects/stored-lists.ts';
import type { LinkFilter } from './link-filter.ts';
import type { LinkLists } from './list-queries.ts';
import { type PresentContext, presentDetails } from './presenter.ts';
import type { ExportedLinkRow } from './queries.ts';

/** Which names of what links are put into a file may have. */
export interface ShownNames {
  campaigns: boolean;
  channels: boolean;
}

interface Options {
  lists: Pick<LinkLists, 'exportBatch'>;
  baseUrl: () => string;
  now: () => number;
}

/** What is processed before yielding: a number of links, up to a number of bytes. About two milliseconds. */
const atOnce = { limit: 25, bytes: 65_536 };

/** Exports links as files, in steps: neither the memory nor a visitor notices how many there are. */
export function linkExports({ lists, baseUrl, now }: Options) {
  async function* batches(
    account: Account,
    filter: LinkFilter,
    check: () => void,
  ): AsyncGenerator<ExportedLinkRow[]> {
    let last = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
    for (;;) {
      const rows = await lists.exportBatch(account.user.id, filter, { ...last, ...atOnce }, now());
      check();
      const end = rows.at(-1);
      if (!end) return;
      yield rows;
      last = { at: end.created_at, id: end.id };
    }
  }

  return {
    /**
     * Opens a file of all links that match a filter, which fails with the error of `check`: that is called for
     * everything that is read. Throws 403 on a plan without exports.
     */
    open(
      account: Account,
      filter: LinkFilter,
      format: 'csv' | 'json',
      names: ShownNames,
      check: () => void,
    ): SentFile {
      if (account.plan.features.export?.enabled === false) throw planRequired('export');
      const { timezone } = account.user;
      const context: PresentContext = { timezone, baseUrl: baseUrl(), now: now() };
      const filename = `waypost-links-${presentDate(now(), timezone)}.${format}`;
      const rows = batches(account, filter, check);
      return format === 'csv'
        ? { filename, type: 'text/csv; charset=utf-8', content: csvOf(rows, context, names) }
        : { filename, type: 'application/json; charset=utf-8', content: jsonOf(rows, context, names) };
    },
  };
}

export type LinkExports = ReturnType<typeof linkExports>;

/**
 * The names of columns are those that our own import and that of others understand; `names` says which are left out.
 */
const columns = [
  'id',
  'short url',
  'alias',
  'domain',
  'long url',
  'title',
  'description',
  'note',
  'tags',
  'campaign',
  'clicks',
  'unique clicks',
  'state',
  'expiry',
  'archive on',
  'delete on',
  'created at',
  'time zone',
  'protected',
  'settings',
];

function isShown(column: string, names: ShownNames): boolean {
  return (column !== 'tags' || names.channels) && (column !== 'campaign' || names.campaigns);
}

const allNames: ShownNames = { campaigns: true, channels: true };

/** The first line of a CSV file, with its line break. */
export function csvHeading(names = allNames): string {
  // Without the mark, spreadsheets read UTF-8 as something else.
  return `\uFEFF${csvLine(columns.filter((column) => isShown(column, names)))}`;
}

/** A link as a line of a CSV file, with its line break. */
export function csvLineOf(row: ExportedLinkRow, context: PresentContext, names = allNames): string {
  return csvLine(cellsOf(row, context).filter((_cell, index) => isShown(columns[index] ?? '', names)));
}

async function* csvOf(rows: AsyncGenerator<ExportedLinkRow[]>, context: PresentContext, names: ShownNames) {
  yield csvHeading(names);
  for await (const batch of rows) yield batch.map((row) => csvLineOf(row, context, names)).join('');
}

/**
 * The time zone of a link's dates: the account's, or UTC if one of them is in an hour that comes twice there, because a
 * clock is put back. An import would take it for the other of the two.
 */
function timezoneOf(row: ExportedLinkRow, timezone: string): string {
  if (timezone === 'UTC') return timezone;
  const { created_at, expires_at, archive_at, delete_at, not_before_at, test_until } = row;
  const ofRules = storedRules(row.rules)
    .flatMap(({ conditions }) => conditions)
    .flatMap(({ type, value }) => (type === 'date' ? [value].flat().map(Number) : []));
  const dates = [created_at, expires_at, archive_at, delete_at, not_before_at, test_until, ...ofRules];
  const isClear = (at: number | null) => at === null || toUtc(at + offsetAt(at, timezone), timezone) === at;
  return dates.every(isClear) ? timezone : 'UTC';
}

function cellsOf(row: ExportedLinkRow, usual: PresentContext): (string | number)[] {
  const context = { ...usual, timezone: timezoneOf(row, usual.timezone) };
  const link = presentDetails(row, context);
  return [
    link.id,
    link.shorturl,
    link.alias,
    // Empty is the instance's own address, wherever the file is imported.
    row.host ?? '',
    link.longurl,
    link.title ?? '',
    link.description ?? '',
    link.note ?? '',
    tagsCell(JSON.parse(row.channel_names) as string[]),
    row.campaign_name ?? '',
    link.clicks,
    link.uniqueclicks ?? 0,
    link.state ?? '',
    link.expiry ?? '',
    link.archiveon ?? '',
    link.deleteon ?? '',
    link.date,
    // Wherever the file is imported, its dates are the same moments.
    context.timezone,
    link.protected ? 'yes' : '',
    JSON.stringify(settingsOf(link)),
  ];
}

async function* jsonOf(rows: AsyncGenerator<ExportedLinkRow[]>, context: PresentContext, shown: ShownNames) {
  let separator = '{"urls":[\n';
  for await (const batch of rows) {
    const links = batch.map((row) => {
      const names = {
        ...(shown.campaigns && { campaignname: row.campaign_name }),
        ...(shown.channels && { channelnames: JSON.parse(row.channel_names) }),
      };
      return JSON.stringify({ ...presentDetails(row, context), ...names });
    });
    yield separator + links.join(',\n');
    separator = ',\n';
  }
  yield separator === ',\n' ? '\n]}\n' : `${separator}]}\n`;
}
