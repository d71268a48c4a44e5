import type { Logger } from 'pino';
import type { Connection } from '../../platform/database/connect.ts';
import type { NewClick } from './click.ts';
import { appendValues } from './click-values.ts';
import type { Dictionary } from './dictionary.ts';
import { dictionaryColumns, rareDimensions } from './dimensions.ts';
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
export type Verdict = 'allowed' | 'exhausted' | 'failed';

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
  let rareRows: { id: number; rare: readonly number[] }[] = [];
  let lastId = queries.lastId();

  /** Counts what is answered without being written. */
  function reportLost(clicks: readonly Click[], error?: unknown): void {
    const before = lostClicks;
    lostClicks += clicks.reduce((sum, { counted }) => sum + (counted ? 1 : 0), counts.length);
    // For the first one, then every thousandth: the log must not fill a full disk further.
    const isNews = before === 0 || Math.floor(before / 1000) !== Math.floor(lostClicks / 1000);
    if (isNews && lostClicks > before)
      log.error({ err: error, lost: lostClicks }, 'clicks could not be recorded');
  }

  function verdictOf({ limited, linkId }: Click): Verdict {
    if (!limited) return 'allowed';
    return queries.consume(linkId) ? 'allowed' : 'exhausted';
  }

  /** With little space left only link limits are written: they must be exact, and take no space. */
  function writeLimits(clicks: Click[]): void {
    if (clicks.some(({ limited }) => limited)) {
      queries.begin();
      verdicts = clicks.map(verdictOf);
      queries.commit();
    } else {
      verdicts = clicks.map(() => 'allowed');
    }
    reportLost(clicks.filter((_, index) => verdicts[index] === 'allowed'));
  }

  function write(clicks: Click[]): void {
    verdicts = [];
    values = [];
    rareRows = [];
    queries.begin();
    let rows = 0;
    for (const click of clicks) {
      const verdict = verdictOf(click);
      verdicts.push(verdict);
      if (verdict !== 'allowed' || !click.counted) continue;
      lastId += 1;
      const rare = appendValues(values, lastId, click, dictionary);
      if (rare) rareRows.push({ id: lastId, rare });
      rows += 1;
      if (rows % clicksPerInsert !== 0) continue;
      queries.insertMany(values);
      values = [];
    }
    for (let start = 0; start < values.length; start += columnsPerClick) {
      queries.insertOne(values.slice(start, start + columnsPerClick));
    }
    for (const { id, rare } of rareRows) queries.insertRareValues(id, rare);
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
    reportLost(clicks, error);
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
        answer(click, written ? (verdicts[index] as Verdict) : click.limited ? 'failed' : 'allowed');
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
          const codes = all.slice(0, dictionaryColumns.length);
          const rare = rareDimensions.map((_, place) => all[dictionaryColumns.length + place] ?? 0);
          id += 1;
          const { linkId, at, visitor, source, rule, bot } = click;
          queries.insertOne([id, linkId, at, visitor, source, rule, bot, ...codes, click.address]);
          rare.push(dictionary.codeOfShipped(click.edge));
          if (rare.some((code) => code !== 0)) queries.insertRareValues(id, rare);
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
