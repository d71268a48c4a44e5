import { type StatsDimension, statsDimensions } from '../../contract/stats.ts';
import type { AccountSubject, ClickQueries, LogSubject } from './click-queries.ts';
import { type Period, type PeriodQuery, readPeriod } from './periods.ts';
import {
  type Figures,
  type LinkCounts,
  mostWords,
  type StatsQueries,
  type Subjects,
  type TopLinkRow,
  type WordFigures,
} from './queries.ts';

export interface StatsRequest extends PeriodQuery {
  /** Counts bots too. */
  withBots: boolean;
  timezone: string;
}

export interface Statistics {
  period: Period;
  total: Figures;
  previous: Figures | null;
  /** One entry for each of the period's intervals. */
  series: Figures[];
  dimensions: Record<StatsDimension, WordFigures[]>;
}

export interface Overview extends Statistics, LinkCounts {
  topLinks: TopLinkRow[];
}

interface Options {
  queries: StatsQueries;
  log: ClickQueries;
  /** Counts what was recorded before, as far as an answer can wait for it. */
  countRecent: () => Promise<void>;
  now: () => number;
}

const nothing: Figures = { clicks: 0, uniqueClicks: 0, bots: 0 };

/** Statistics of accounts and links, out of the counted click log. */
export function statsService({ queries, log, countRecent, now }: Options) {
  async function statisticsOf(subject: Subjects, request: StatsRequest): Promise<Statistics> {
    await countRecent();
    const needsStart = request.period === 'all' && request.from === undefined && request.to === undefined;
    const firstAt = needsStart ? await queries.firstAt(subject) : undefined;
    const period = readPeriod(request, { now: now(), timezone: request.timezone, firstAt });
    const [rows, previous] = await Promise.all([
      queries.series(subject, period.intervals),
      period.previous && queries.total(subject, period.previous),
    ]);
    const series = period.intervals.map(() => nothing);
    for (const { position, ...figures } of rows) series[position] = figures;
    const total = sum(series);
    const { withBots } = request;
    const words = await queries.words(subject, period, statsDimensions, total, withBots);
    return {
      period,
      total: shown(total, withBots),
      previous: previous && shown(previous, withBots),
      series: series.map((figures) => shown(figures, withBots)),
      dimensions: Object.fromEntries(
        statsDimensions.map((name, index) => [name, mostFrequent(words[index] ?? [], withBots)]),
      ) as Record<StatsDimension, WordFigures[]>,
    };
  }

  return {
    /** Makes the totals of links include what was clicked just now; for answers that show them. */
    countRecent,

    ofLink: (linkId: number, request: StatsRequest): Promise<Statistics> => statisticsOf({ linkId }, request),

    /** The sum over the links of a campaign: a visitor of two of them is two unique ones. */
    ofCampaign: (campaignId: number, request: StatsRequest): Promise<Statistics> =>
      queries.linksOfCampaign(campaignId).then((links) => statisticsOf(links, request)),

    /** All links of an account, or those that one member created: then the sum over these links, as of a campaign. */
    async ofUser({ userId, member = null }: AccountSubject, request: StatsRequest): Promise<Overview> {
      const subject = member === null ? { userId } : await queries.linksOfMember(userId, member);
      const statistics = await statisticsOf(subject, request);
      const [topLinks, counts] = await Promise.all([
        'linkIds' in subject
          ? queries.topLinksOf(subject.linkIds, statistics.period, request.withBots)
          : queries.topLinks(userId, statistics.period, request.withBots),
        queries.linkCounts(userId, now(), member),
      ]);
      const { withBots } = request;
      return {
        ...statistics,
        ...counts,
        topLinks: topLinks.map((row) => ({ ...row, ...shown(row, withBots) })),
      };
    },

    /** A page of the click log, newest first. */
    async clicks(subject: LogSubject, withBots: boolean, limit: number, offset: number) {
      await countRecent();
      return log.clicks(subject, withBots, limit, offset);
    },

    /** All-time figures of one link: the totals and the most frequent words of the dimensions asked for. */
    async figuresOf(linkId: number, names: readonly StatsDimension[]) {
      await countRecent();
      const ever = { from: 0, to: now() + 366 * 86_400_000 };
      const total = await queries.total({ linkId }, ever);
      const words = await queries.words({ linkId }, ever, names, total, false);
      return { total, words: words.map((figures) => mostFrequent(figures, false)) };
    },
  };
}

export type StatsService = ReturnType<typeof statsService>;

function sum(all: readonly Figures[]): Figures {
  const total = { ...nothing };
  for (const { clicks, uniqueClicks, bots } of all) {
    total.clicks += clicks;
    total.uniqueClicks += uniqueClicks;
    total.bots += bots;
  }
  return total;
}

/** Bots are kept apart and count only when they are asked for (decision 0026). */
function shown<Row extends Figures>(figures: Row, withBots: boolean): Row {
  return withBots ? { ...figures, clicks: figures.clicks + figures.bots } : figures;
}

function mostFrequent(words: readonly WordFigures[], withBots: boolean): WordFigures[] {
  return words
    .map((figures) => shown(figures, withBots))
    .filter(({ clicks }) => clicks > 0)
    .sort((one, other) => other.clicks - one.clicks)
    .slice(0, mostWords);
}
