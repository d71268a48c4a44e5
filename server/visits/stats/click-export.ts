import { setImmediate as nextTurn } from 'node:timers/promises';
import { clickColumns, type ExportedClick, type exportLinkClicks } from '../../contract/click-export.ts';
import { csvLine } from '../../contract/csv-cells.ts';
import type { QueryOf } from '../../contract/endpoint.ts';
import { planRequired, unauthorized } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { SentFile } from '../../platform/http/sent-file.ts';
import { presentDate, presentTimestamp } from '../../platform/http/timestamps.ts';
import { sources } from '../clicks/dimensions.ts';
import { readNames } from '../parameters/own-parameters.ts';
import { shortUrl } from '../redirects/short-url.ts';
import { filtersOf, loggedFilters } from './chosen-values.ts';
import type { ExportedSpan, ExportQueries, ExportSubject, FullClickRow } from './export-queries.ts';
import { readDays, readPeriod } from './periods.ts';

interface Options {
  queries: ExportQueries;
  /** Counts what was recorded before: the clicks of a link are found by what is counted. */
  countRecent: () => Promise<void>;
  baseUrl: () => string;
  now: () => number;
}

/** How a file of clicks is to be. */
type Wish = QueryOf<typeof exportLinkClicks>;

/** Clicks of one part of a document, about; the longest have some kilobytes each. */
const clicksPerPart = 10_000;
/** Looks at the log for one part at most: an account may have few of the clicks of a large instance. */
const looksPerPart = 50;

/** Rows that become text in one turn of the event loop: 4,000 would delay redirects for 30 ms. */
const rowsPerTurn = 200;

const types = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' } as const;

/** Exports single clicks in pieces: neither the memory nor a visitor notices how many there are. */
export function clickExports({ queries, countRecent, baseUrl, now }: Options) {
  function spanOf(query: Wish, timezone: string): ExportedSpan {
    const withBots = query.bots === '1';
    if (query.from !== undefined || query.to !== undefined || query.period === 'all') {
      return { withBots, ...readDays(query, { now: now(), timezone }) };
    }
    const { from, to } = readPeriod(query, { now: now(), timezone, firstAt: undefined });
    return { withBots, from, to };
  }

  function begin(account: Account, query: Wish) {
    if (account.plan.features.export?.enabled === false) throw planRequired('export');
    const { timezone } = account.user;
    const line = lineOf(query.format, timezone, baseUrl());
    return {
      span: spanOf(query, timezone),
      filename: `waypost-clicks-${presentDate(now(), timezone)}.${query.format}`,
      // Without the mark, spreadsheets read UTF-8 as something else.
      head: query.format === 'csv' ? `\uFEFF${csvLine([...clickColumns])}` : '',
      async *textsOf(rows: readonly FullClickRow[]) {
        for (let start = 0; start < rows.length; start += rowsPerTurn) {
          if (start > 0) await nextTurn();
          yield rows
            .slice(start, start + rowsPerTurn)
            .map(line)
            .join('');
        }
      },
    };
  }

  /** The ids that are still to be looked at, and what their clicks must have. */
  async function rangeOf({ parameters }: Account['user'], span: ExportedSpan, query: Wish) {
    await countRecent();
    const range = await queries.range(span);
    const passing = await queries.passing(loggedFilters(filtersOf(query), readNames(parameters)));
    return { ...range, passing, after: Math.max(range.after, query.after ?? 0) };
  }

  return {
    /**
     * Opens a file that is read while it is sent, and no further once whoever asked has gone. Its end fails when
     * `isStillAllowed` says no. Throws 403 on a plan without exports.
     */
    open(account: Account, subject: ExportSubject, query: Wish, isStillAllowed: () => boolean): SentFile {
      const { span, filename, head, textsOf } = begin(account, query);
      async function* content() {
        if (head !== '') yield head;
        const range = await rangeOf(account.user, span, query);
        while (range.after < range.until) {
          const { rows, seen } = await queries.next(subject, span, range);
          if (!isStillAllowed()) throw unauthorized();
          yield* textsOf(rows);
          range.after = seen;
        }
      }
      return { filename, type: types[query.format], content: content() };
    },

    /** A part of the same as a text. The first one has the head. */
    async part(account: Account, subject: ExportSubject, query: Wish) {
      const { span, filename, head, textsOf } = begin(account, query);
      const range = await rangeOf(account.user, span, query);
      let content = query.after === undefined ? head : '';
      let count = 0;
      for (
        let look = 0;
        look < looksPerPart && count < clicksPerPart && range.after < range.until;
        look += 1
      ) {
        const { rows, seen } = await queries.next(subject, span, range);
        for await (const text of textsOf(rows)) content += text;
        count += rows.length;
        range.after = seen;
      }
      return { filename, content, next: range.after < range.until ? range.after : null };
    },
  };
}

export type ClickExports = ReturnType<typeof clickExports>;

function lineOf(format: Wish['format'], timezone: string, baseUrl: string): (row: FullClickRow) => string {
  if (format === 'jsonl') return (row) => `${JSON.stringify(presentExported(row, timezone, baseUrl))}\n`;
  return (row) => {
    const click = presentExported(row, timezone, baseUrl);
    return csvLine(clickColumns.map((name) => cellOf(click[name])));
  };
}

function cellOf(value: ExportedClick[keyof ExportedClick]): string | number {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value ?? '';
}

function presentExported(row: FullClickRow, timezone: string, baseUrl: string): ExportedClick {
  const { link_id: link, alias, host, at, referrer, referrer_path, ...rest } = row;
  const { utm_term, utm_content, param1, param2, param3, param4, param5, edge, ...fields } = rest;
  return {
    ...fields,
    date: presentTimestamp(at, timezone),
    link,
    shorturl: shortUrl({ alias, host }, baseUrl),
    source: sources[row.source] ?? 'link',
    referrer: referrer + referrer_path,
    utm_term: utm_term ?? '',
    utm_content: utm_content ?? '',
    parameters: queryOf([param1, param2, param3, param4, param5]),
    bot: row.bot === 1,
    edge: edge ?? '',
  };
}

/** Own parameters, which are kept as `name=value`, as one query. */
function queryOf(words: readonly (string | null)[]): string {
  const query = new URLSearchParams();
  for (const word of words) {
    const at = word?.indexOf('=') ?? -1;
    if (word && at > 0) query.append(word.slice(0, at), word.slice(at + 1));
  }
  return query.toString();
}
