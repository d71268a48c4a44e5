import { type LoggedDimension, loggedDimensions } from '../../contract/dimensions.ts';
import type { Read } from '../../platform/database/reader.ts';
import { hourMs, sources } from '../clicks/dimensions.ts';
import type { ColumnSubject } from './column-store.ts';
import { dictionaryIds, dictionaryTexts } from './dictionary-texts.ts';
import type { Metrics } from './metrics.ts';
import type { Period } from './periods.ts';
import { hoursOf, mostCountries, type Subjects, type ValueMetrics } from './queries.ts';
import type { StatsReader } from './stats-reader.ts';

/** The words that clicks may have, by dimension. */
export type Filters = Partial<Record<LoggedDimension, readonly string[] | undefined>>;

/** What single clicks come to under filters. */
interface Filtered {
  series: Metrics[];
  previous: Metrics[];
  words: ValueMetrics[][];
  /** The most visited links; more than are shown, as some may be in the trash. */
  links: ({ id: number } & Metrics)[];
  /** The time of the first single click; null if there are none. */
  firstAt: number | null;
}

const mostLinks = 500;
/** Placeholder id for a value that no click has. */
const noWord = -1;

/** Reads of statistics under filters: they count the single clicks of the log. */
export function filterQueries(reader: Pick<StatsReader, 'read' | 'filtered' | 'warm'>) {
  async function rowsOf<Row>(read: Read): Promise<Row[]> {
    const [rows] = await reader.read([read]);
    return (rows ?? []) as Row[];
  }

  /** Filters with the ids of their words. */
  async function valueFilters(filters: Filters): Promise<{ dimension: number; words: number[] }[]> {
    const idOf = await dictionaryIds(
      rowsOf,
      loggedDimensions.flatMap((name) => (name === 'source' ? [] : (filters[name] ?? []))),
    );
    const numberOf = (name: LoggedDimension, value: string) =>
      name === 'source' ? (sources as readonly string[]).indexOf(value) : (idOf.get(value) ?? noWord);
    return loggedDimensions.flatMap((name, dimension) => {
      const values = filters[name];
      return values ? [{ dimension, words: values.map((value) => numberOf(name, value)) }] : [];
    });
  }

  return {
    /** Counts the single clicks that pass filters, in a period and the one before it. */
    async filtered(
      subject: Subjects,
      { intervals, previousIntervals }: Pick<Period, 'intervals' | 'previousIntervals'>,
      filters: Filters,
      withBots: boolean,
    ): Promise<Filtered> {
      const answer = await reader.filtered({
        subject: columnSubject(subject),
        filters: await valueFilters(filters),
        intervals: intervals.map(hoursOf),
        previous: previousIntervals.map(hoursOf),
        withBots,
        // Continents are computed from all countries.
        mostValues: mostCountries,
        mostLinks,
      });
      const textOf = await dictionaryTexts(
        rowsOf,
        answer.words.flatMap((words) => words.map(({ word }) => word)),
      );
      return {
        series: answer.series,
        previous: answer.previous,
        words: answer.words.map((words, dimension) =>
          words.map(({ word, ...metrics }) => ({
            ...metrics,
            value: loggedDimensions[dimension] === 'source' ? word : (textOf.get(word) ?? ''),
          })),
        ),
        links: answer.links.map(({ word, ...metrics }) => ({ id: word, ...metrics })),
        firstAt: answer.firstHour === null ? null : answer.firstHour * hourMs,
      };
    },

    /** Has the single clicks since a moment read ahead, so that they are there when they are to be filtered. */
    warm: (subject: Subjects, from: number): Promise<void> =>
      reader.warm({ subject: columnSubject(subject), from: Math.ceil(from / hourMs) }),
  };
}

export type FilterQueries = ReturnType<typeof filterQueries>;

function columnSubject(subject: Subjects): ColumnSubject {
  return 'linkId' in subject ? { linkIds: JSON.stringify([subject.linkId]) } : subject;
}
