import type { Logger } from 'pino';
import type { Connection } from '../../platform/database/connect.ts';
import type { NewClick, Referrer, UtmCodes, VisitorCodes } from './click.ts';
import type { Dictionary } from './dictionary.ts';
import { markColumns, visitMarks, wordColumns } from './dimensions.ts';
import {
  type ClickValue,
  clicksPerInsert,
  columnsPerClick,
  recordQueries,
  type UnmatchedVisit,
} from './queries.ts';

/**
 * The result of the group's commit: the click is logged (or need not be), the link's limit was reached, or a limited
 * link could not be counted.
 */
export type Verdict = 'taken' | 'exhausted' | 'failed';

/** What a visit counts besides the click log: a scan of a QR code, a page view, a rotator's position. */
interface Count {
  /** Writes it, inside the group's transaction and on its connection. */
  write: () => void;
  /** Called after the group's commit, successful or not. */
  answer: (written: boolean) => void;
}

/** A click that was recorded and answered by another machine. */
export interface ShippedClick {
  linkId: number;
  at: number;
  visitor: number;
  source: number;
  rule: number | null;
  bot: 0 | 1;
  /** In column order, from the country to the campaign; then the rare ones, all or none. */
  texts: readonly string[];
  address: string | null;
  /** The machine's name; empty if not stored. */
  edge: string;
}

export interface Recorder<Click extends NewClick> {
  /** Adds a click to the group of this event-loop turn. `commit` reports its result. */
  add(click: Click): void;
  /** Adds a count to the group; handled and lost like a click. */
  addCount(count: Count): void;
  /** Adds a visit that reached no link; it waits for nothing. */
  addUnmatched(visit: UnmatchedVisit): void;
  /** Writes the group in one transaction, then reports the results of its clicks in order. */
  commit(): void;
  /**
   * Writes clicks that were answered elsewhere, together with what `note` writes, in a separate transaction. Throws.
   */
  storeShipped(clicks: readonly ShippedClick[], note: () => void): void;
  /** Call it when another connection has written: it may have added clicks. */
  refresh(): void;
  /** Clicks and counts that were answered but could not be written (disk full), since the start. */
  lost(): number;
}

interface Options<Click extends NewClick> {
  connection: Connection;
  dictionary: Dictionary;
  /** Called for every click of a group after its commit. */
  answer: (click: Click, verdict: Verdict) => void;
  log: Pick<Logger, 'error'>;
  /** Whether the disk has room for more than link limits; always by default. */
  hasSpace?: () => boolean;
  /** Called with storage errors. */
  onFault?: (error: unknown) => void;
}

const keptOrphans = 100_000;
const waitingUnmatched = 500;

/**
 * Writes clicks in groups: one transaction for all clicks of an event-loop turn, before any of their responses. So an
 * answered click is never lost in a crash (decision 0023), at the price of one commit per turn. If the log cannot be
 * written, visitors still get their redirects; the loss is counted and logged.
 */
export function recorder<Click extends NewClick>(options: Options<Click>): Recorder<Click> {
  const { connection, dictionary, answer, log, hasSpace = () => true, onFault = () => {} } = options;
  const queries = recordQueries(connection);
  let group: Click[] = [];
  let spare: Click[] = [];
  let verdicts: Verdict[] = [];
  let unmatched: UnmatchedVisit[] = [];
  let counts: Count[] = [];
  let lostClicks = 0;
  let values: ClickValue[] = [];
  /** The rare dimensions of the group's clicks, with their ids: written after the clicks. */
  let marked: { id: number; marks: readonly number[] }[] = [];
  let lastId = queries.lastId();

  /** Counts what is answered without being written. */
  function lose(clicks: readonly Click[], error?: unknown): void {
    const before = lostClicks;
    lostClicks += clicks.reduce((sum, { counted }) => sum + (counted ? 1 : 0), counts.length);
    // For the first one, then every thousandth: the log must not fill a full disk further.
    const isNews = before === 0 || Math.floor(before / 1000) !== Math.floor(lostClicks / 1000);
    if (isNews && lostClicks > before)
      log.error({ err: error, lost: lostClicks }, 'clicks could not be recorded');
  }

  function verdictOf({ limited, linkId }: Click): Verdict {
    if (!limited) return 'taken';
    return queries.useUp(linkId) ? 'taken' : 'exhausted';
  }

  /** With little space left only link limits are written: they must be exact, and take no space. */
  function writeLimits(clicks: Click[]): void {
    if (clicks.some(({ limited }) => limited)) {
      queries.begin();
      verdicts = clicks.map(verdictOf);
      queries.commit();
    } else {
      verdicts = clicks.map(() => 'taken');
    }
    lose(clicks.filter((_, index) => verdicts[index] === 'taken'));
  }

  function write(clicks: Click[]): void {
    verdicts = [];
    values = [];
    marked = [];
    queries.begin();
    let rows = 0;
    for (const click of clicks) {
      const verdict = verdictOf(click);
      verdicts.push(verdict);
      if (verdict !== 'taken' || !click.counted) continue;
      lastId += 1;
      const marks = appendValues(values, lastId, click, dictionary);
      if (marks) marked.push({ id: lastId, marks });
      rows += 1;
      if (rows % clicksPerInsert !== 0) continue;
      queries.insertMany(values);
      values = [];
    }
    for (let start = 0; start < values.length; start += columnsPerClick) {
      queries.insertOne(values.slice(start, start + columnsPerClick));
    }
    for (const { id, marks } of marked) queries.insertMarks(id, marks);
    for (const count of counts) count.write();
    for (const visit of unmatched) queries.insertUnmatched(visit);
    if (unmatched.length > 0) queries.trimOrphans(keptOrphans);
    queries.commit();
  }

  function fail(error: unknown, clicks: Click[]): void {
    queries.rollback();
    // Dictionary ids that this group added are invalid.
    dictionary.forget();
    for (const { visitor, referrer, utm } of clicks) {
      visitor.codes = undefined;
      referrer.codes = undefined;
      utm.codes = undefined;
    }
    lose(clicks, error);
    onFault(error);
  }

  return {
    add(click) {
      group.push(click);
    },
    addCount(count) {
      counts.push(count);
    },
    addUnmatched(visit) {
      if (unmatched.length < waitingUnmatched) unmatched.push(visit);
    },
    commit() {
      if (group.length === 0 && unmatched.length === 0 && counts.length === 0) return;
      const clicks = group;
      group = spare;
      const isWritable = hasSpace();
      let written = true;
      try {
        if (isWritable) write(clicks);
        else writeLimits(clicks);
      } catch (error) {
        written = false;
        fail(error, clicks);
      }
      unmatched = [];
      for (let index = 0; index < clicks.length; index += 1) {
        const click = clicks[index] as Click;
        answer(click, written ? (verdicts[index] as Verdict) : click.limited ? 'failed' : 'taken');
      }
      clicks.length = 0;
      spare = clicks;
      const answered = counts;
      counts = [];
      for (const count of answered) count.answer(written && isWritable);
    },
    storeShipped(clicks, note) {
      refresh();
      queries.begin();
      try {
        let id = lastId;
        for (const { texts, ...click } of clicks) {
          const all = texts.map((text) => dictionary.codeOfShipped(text));
          const codes = all.slice(0, wordColumns.length);
          const marks = visitMarks.map((_, place) => all[wordColumns.length + place] ?? 0);
          id += 1;
          const { linkId, at, visitor, source, rule, bot } = click;
          queries.insertOne([id, linkId, at, visitor, source, rule, bot, ...codes, click.address]);
          marks.push(dictionary.codeOfShipped(click.edge));
          if (marks.some((code) => code !== 0)) queries.insertMarks(id, marks);
        }
        note();
        queries.commit();
        lastId = id;
      } catch (error) {
        queries.rollback();
        dictionary.forget();
        throw error;
      }
    },
    refresh,
    lost: () => lostClicks,
  };

  function refresh(): void {
    lastId = Math.max(lastId, queries.lastId());
  }
}

/** Adds the values of a click's columns in insert order; returns its rare dimensions, if any. */
function appendValues(
  values: ClickValue[],
  id: number,
  click: NewClick,
  dictionary: Dictionary,
): UtmCodes['marks'] {
  const { visitor, referrer, utm } = click;
  // Shared with other clicks of the same visitor, referrer and UTM values, so that each is interned once.
  const who = visitor.codes ?? visitorCodes(click, dictionary);
  const from = referrer.codes ?? referrerCodes(click, dictionary);
  const utmWords = utm.codes ?? utmCodes(click, dictionary);
  values.push(
    id,
    click.linkId,
    click.at,
    visitor.hash,
    click.source,
    click.rule,
    visitor.bot ? 1 : 0,
    who.country,
    who.region,
    who.city,
    from.host,
    from.path,
    who.browser,
    who.os,
    who.device,
    who.language,
    utmWords.source,
    utmWords.medium,
    utmWords.campaign,
    click.address,
  );
  return utmWords.marks;
}

// Ids are cached only if every text has one: a text above this minute's limit is tried again.

function visitorCodes({ visitor, linkId }: NewClick, dictionary: Dictionary): VisitorCodes {
  const code = (text: string) => dictionary.code(text, 'visitor', { linkId, address: visitor.address });
  const codes = {
    country: code(visitor.country),
    region: code(visitor.region),
    city: code(visitor.city),
    browser: code(visitor.browser),
    os: code(visitor.os),
    device: code(visitor.device),
    language: code(visitor.language),
  };
  if (hasAll(visitor, codes)) visitor.codes = codes;
  return codes;
}

function referrerCodes(
  { visitor: { address }, linkId, referrer }: NewClick,
  dictionary: Dictionary,
): NonNullable<Referrer['codes']> {
  const codes = {
    host: dictionary.code(referrer.host, 'referrer', { linkId, address }),
    path: dictionary.code(referrer.path, 'path', { linkId, address }),
  };
  if (hasAll(referrer, codes)) referrer.codes = codes;
  return codes;
}

function utmCodes({ visitor: { address }, linkId, utm }: NewClick, dictionary: Dictionary): UtmCodes {
  const { term, content, own } = utm;
  const texts = term === '' && content === '' && own.length === 0 ? [] : markTexts(term, content, own);
  const marks = texts.map((text, place) =>
    dictionary.code(text, place < utmMarks ? 'utm' : 'parameter', { linkId, address }),
  );
  const words = {
    source: dictionary.code(utm.source, 'utm', { linkId, address }),
    medium: dictionary.code(utm.medium, 'utm', { linkId, address }),
    campaign: dictionary.code(utm.campaign, 'utm', { linkId, address }),
  };
  const codes = { ...words, marks: marks.some((code) => code !== 0) ? marks : undefined };
  if (hasAll(utm, words) && marks.every((code, place) => code !== 0 || texts[place] === ''))
    utm.codes = codes;
  return codes;
}

/** How many of the rare dimensions are UTM values. */
const utmMarks = 2;

/** In the order of `markColumns`. */
function markTexts(term: string, content: string, own: readonly string[]): string[] {
  return markColumns.map((_, place) => [term, content, ...own][place] ?? '');
}

/** Whether every non-empty text has an id. */
function hasAll<Name extends string>(
  texts: Record<NoInfer<Name>, string>,
  codes: Record<Name, number>,
): boolean {
  return (Object.keys(codes) as Name[]).every((name) => codes[name] !== 0 || texts[name] === '');
}
