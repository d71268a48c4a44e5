import { continentOf } from '../../contract/continents.ts';
import { type LoggedDimension, loggedDimensions } from '../../contract/dimensions.ts';
import type { StatsDimension } from '../../contract/stats.ts';
import { dayMs } from '../clicks/dimensions.ts';
import type { ParameterNames } from '../parameters/own-parameters.ts';
import { type ChosenValues, loggedFilters, parameterOf } from './chosen-values.ts';
import type { ClickQueries, LogSubject } from './click-queries.ts';
import type { FilterQueries, Filters } from './filter-queries.ts';
import type { Metrics } from './metrics.ts';
import { isCompared, type Period, type PeriodQuery, readPeriod, type Span } from './periods.ts';
import {
  isEverything,
  type LinkChoice,
  type LinkCounts,
  mostValues,
  type StatsQueries,
  type Subjects,
  type TopGroupRow,
  type TopLinkRow,
  type ValueMetrics,
} from './queries.ts';

export interface StatsRequest extends PeriodQuery {
  /** Counts bots too. */
  withBots: boolean;
  timezone: string;
  /** Only clicks that have one of the values of each dimension. */
  filters?: ChosenValues;
  /** The account's own query parameters, which are shown under their names. */
  parameters?: ParameterNames;
  /** Whether the course of the period before is wanted. */
  compare?: 'previous' | undefined;
}

export interface Statistics {
  period: Period;
  total: Metrics;
  previous: Metrics | null;
  /** Whether that is a period that was chosen. */
  isChosen: boolean;
  /** One entry for each of its intervals, where they are wanted. */
  previousSeries?: Metrics[];
  /** One entry for each of the period's intervals. */
  series: Metrics[];
  dimensions: Partial<Record<StatsDimension, ValueMetrics[]>>;
  parameters: ParameterNames;
  /** Under filters: since when there are single clicks; null where all of the period has them. */
  filteredSince?: number | null;
}

export interface Overview extends Statistics, LinkCounts {
  topLinks: TopLinkRow[];
}

interface Options {
  queries: StatsQueries;
  filterQueries: FilterQueries;
  log: ClickQueries;
  /** Counts what was recorded before, as far as an answer can wait for it. */
  countRecent: () => Promise<void>;
  now: () => number;
}

/** Clicks of a period from which on they are read ahead: they may be filtered next, and fewer are read at once. */
const worthReadingAhead = 20_000;

const nothing: Metrics = { clicks: 0, uniqueClicks: 0, bots: 0 };

/** Statistics of accounts and links, out of the counted click log. */
export function statsService({ queries, filterQueries, log, countRecent, now }: Options) {
  async function periodOf(subject: Subjects, request: StatsRequest): Promise<Period> {
    const needsStart = request.period === 'all' && request.from === undefined && request.to === undefined;
    const ever = { from: 0, to: now() + 366 * dayMs };
    const firstAt = needsStart ? await queries.firstAt(subject, ever) : undefined;
    return readPeriod(request, { now: now(), timezone: request.timezone, firstAt });
  }

  async function seriesOf(subject: Subjects, intervals: readonly Span[]): Promise<Metrics[]> {
    const series = intervals.map(() => nothing);
    for (const { position, ...metrics } of await queries.series(subject, intervals))
      series[position] = metrics;
    return series;
  }

  async function statisticsOf(subject: Subjects, request: StatsRequest): Promise<Statistics> {
    await countRecent();
    const period = await periodOf(subject, request);
    const [series, previous, previousSeries] = await Promise.all([
      seriesOf(subject, period.intervals),
      period.previous && queries.total(subject, period.previous),
      isComparing(request) ? seriesOf(subject, period.previousIntervals) : undefined,
    ]);
    const total = sum(series);
    const names = shownDimensions(request);
    const found = await queries.words(subject, period, names, total, request.withBots);
    const words = new Map(names.map((name, index) => [name, found[index] ?? []]));
    const clicks = total.clicks + total.bots;
    if (clicks >= worthReadingAhead) void readAhead(subject, spanned(period).from);
    return statistics({ period, series, previous, previousSeries, words }, request);
  }

  /** What is in the log of single clicks, under filters. */
  async function filteredOf(subject: Subjects, request: StatsRequest, filters: ChosenValues) {
    await countRecent();
    const period = await periodOf(subject, request);
    const [found, firstAt] = await Promise.all([
      countFiltered(subject, period, loggedFilters(filters, request.parameters), request),
      queries.firstAt(subject, isCompared(request) ? spanned(period) : period),
    ]);
    const { series } = found;
    const words = new Map(loggedDimensions.map((name, index) => [name, found.words[index] ?? []]));
    const previous = period.previous && sum(found.previous);
    const previousSeries = isComparing(request) ? found.previous : undefined;
    const isCut = firstAt !== undefined && (found.firstAt === null || found.firstAt > firstAt);
    return {
      ...statistics({ period, series, previous, previousSeries, words }, request),
      filteredSince: isCut ? Math.min(found.firstAt ?? period.to, spanned(period).to) : null,
      links: found.links,
    };
  }

  /**
   * Counts under filters. A chosen period may lie anywhere, even across the one that is shown, so it is counted by
   * itself: the earlier one first, whose clicks are then there for the later one.
   */
  async function countFiltered(subject: Subjects, period: Period, filters: Filters, request: StatsRequest) {
    const { withBots } = request;
    if (!isCompared(request)) return filterQueries.filtered(subject, period, filters, withBots);
    const count = (intervals: Span[]) =>
      filterQueries.filtered(subject, { intervals, previousIntervals: [] }, filters, withBots);
    const isEarlier = period.previous !== null && period.previous.from < period.from;
    const early = isEarlier ? await count(period.previousIntervals) : undefined;
    const found = await count(period.intervals);
    const compared = early ?? (await count(period.previousIntervals));
    const moments = [found.firstAt, compared.firstAt].filter((at) => at !== null);
    return {
      ...found,
      previous: compared.series,
      firstAt: moments.length > 0 ? Math.min(...moments) : null,
    };
  }

  function readAhead(subject: Subjects, from: number): Promise<void> {
    return filterQueries.warm(subject, from).catch(() => {
      // Then they are read on request, and the request reports the error.
    });
  }

  const chosenStatistics = (subject: Subjects, request: StatsRequest): Promise<Statistics> => {
    const filters = activeFilters(request);
    return filters ? filteredOf(subject, request, filters) : statisticsOf(subject, request);
  };

  return {
    /** Makes the totals of links include what was clicked just now; for answers that show them. */
    countRecent,

    ofLink: (linkId: number, request: StatsRequest): Promise<Statistics> =>
      chosenStatistics({ linkId }, request),

    /** The sum over the links of a campaign, or one member's of them: a visitor of two of them is two unique ones. */
    async ofCampaign(
      campaignId: number,
      request: StatsRequest,
      own?: { userId: number; member: number },
    ): Promise<Statistics> {
      const links = own
        ? await queries.linksOf(own.userId, { member: own.member, campaign: campaignId })
        : await queries.linksOfCampaign(campaignId);
      return chosenStatistics(links, request);
    },

    /** All links of an account, or some of them: then the sum over these links, as of a campaign. */
    async ofUser(userId: number, choice: LinkChoice, request: StatsRequest): Promise<Overview> {
      const { withBots } = request;
      const subject = isEverything(choice) ? { userId } : await queries.linksOf(userId, choice);
      const filters = activeFilters(request);
      const filtered = filters && (await filteredOf(subject, request, filters));
      const statistics = filtered ?? (await statisticsOf(subject, request));
      const [topLinks, counts] = await Promise.all([
        filtered
          ? queries.linksWithMetrics(userId, filtered.links)
          : 'linkIds' in subject
            ? queries.topLinksOf(subject.linkIds, statistics.period, withBots)
            : queries.topLinks(userId, statistics.period, withBots),
        queries.linkCounts(userId, now(), choice),
      ]);
      return {
        ...statistics,
        ...counts,
        topLinks: topLinks.map((row) => ({ ...row, ...shown(row, withBots) })),
      };
    },

    /** The campaigns, channels and domains of an account, or of a member's links, that were visited most. */
    async topGroups(userId: number, member: number | null, request: StatsRequest) {
      await countRecent();
      const period = await periodOf({ userId }, request);
      const { withBots } = request;
      const { campaigns, channels, domains } = await queries.topGroups(userId, member, period, withBots);
      const shownRows = (rows: TopGroupRow[]) => rows.map((row) => shown(row, withBots));
      return {
        period,
        campaigns: shownRows(campaigns),
        channels: shownRows(channels),
        domains: shownRows(domains),
      };
    },

    /** A page of the click log, newest first. */
    async clicks(subject: LogSubject, withBots: boolean, limit: number, offset: number) {
      await countRecent();
      return log.clicks(subject, withBots, limit, offset);
    },

    /** All-time metrics of one link: the totals and the most frequent words of the dimensions asked for. */
    async metricsOf(linkId: number, names: readonly LoggedDimension[]) {
      await countRecent();
      const ever = { from: 0, to: now() + 366 * dayMs };
      const total = await queries.total({ linkId }, ever);
      const words = await queries.words({ linkId }, ever, names, total, false);
      return { total, words: words.map((metrics) => mostFrequent(metrics, false)) };
    },
  };
}

export type StatsService = ReturnType<typeof statsService>;

/** Whether the course of a second period is wanted. */
function isComparing(request: StatsRequest): boolean {
  return request.compare === 'previous' || isCompared(request);
}

/** The time from the beginning of the earlier period to the end of the later one. */
function spanned({ from, to, previous }: Period): Span {
  return { from: Math.min(from, previous?.from ?? from), to: Math.max(to, previous?.to ?? to) };
}

/** The filters that have a value. */
function activeFilters({ filters = {} }: StatsRequest): ChosenValues | undefined {
  const active = Object.entries(filters).filter(([, values]) => values && values.length > 0);
  return active.length > 0 ? Object.fromEntries(active) : undefined;
}

/** All but the places of own parameters that have no name. */
function shownDimensions({ parameters = [] }: StatsRequest): LoggedDimension[] {
  return loggedDimensions.filter((name) => parameterOf(name, parameters) !== null);
}

/** The sums of countries by continent. */
function continentsOf(countries: readonly ValueMetrics[]): ValueMetrics[] {
  const sums = new Map<string, ValueMetrics>();
  for (const { value, clicks, uniqueClicks, bots } of countries) {
    const continent = continentOf(String(value));
    const before = sums.get(continent) ?? { value: continent, clicks: 0, uniqueClicks: 0, bots: 0 };
    sums.set(continent, {
      value: continent,
      clicks: before.clicks + clicks,
      uniqueClicks: before.uniqueClicks + uniqueClicks,
      bots: before.bots + bots,
    });
  }
  return [...sums.values()];
}

/** Countries under a filter of continents: those of others could not be chosen. */
function countriesShown(
  countries: readonly ValueMetrics[],
  { filters }: StatsRequest,
): readonly ValueMetrics[] {
  const continents = filters?.continent ?? [];
  if (continents.length === 0) return countries;
  return countries.filter(({ value }) => continents.includes(continentOf(String(value))));
}

/** The values of a parameter, without what its place counted under another name. */
function ownValues(words: readonly ValueMetrics[], name: string | null | undefined): readonly ValueMetrics[] {
  if (!name) return words;
  return words.flatMap((metrics) => {
    const text = String(metrics.value);
    if (text === '') return [metrics];
    return text.startsWith(`${name}=`) ? [{ ...metrics, value: text.slice(name.length + 1) }] : [];
  });
}

interface Counted {
  period: Period;
  series: Metrics[];
  previous: Metrics | null;
  previousSeries: Metrics[] | undefined;
  words: ReadonlyMap<LoggedDimension, ValueMetrics[]>;
}

function statistics(counted: Counted, request: StatsRequest): Statistics {
  const { withBots, parameters = [] } = request;
  const { period, series, previous, previousSeries, words } = counted;
  const shownAll = (all: Metrics[]) => all.map((metrics) => shown(metrics, withBots));
  const countries = words.get('country') ?? [];
  return {
    period,
    total: shown(sum(series), withBots),
    previous: previous && shown(previous, withBots),
    isChosen: isCompared(request),
    ...(previousSeries && { previousSeries: shownAll(previousSeries) }),
    series: shownAll(series),
    parameters,
    dimensions: {
      continent: mostFrequent(continentsOf(countries), withBots),
      ...Object.fromEntries(
        shownDimensions(request).map((name) => {
          const all = name === 'country' ? countriesShown(countries, request) : (words.get(name) ?? []);
          return [name, mostFrequent(ownValues(all, parameterOf(name, parameters)), withBots)];
        }),
      ),
    },
  };
}

function sum(all: readonly Metrics[]): Metrics {
  const total = { ...nothing };
  for (const { clicks, uniqueClicks, bots } of all) {
    total.clicks += clicks;
    total.uniqueClicks += uniqueClicks;
    total.bots += bots;
  }
  return total;
}

/** Bots are kept apart and count only when they are asked for (decision 0026). */
function shown<Row extends Metrics>(metrics: Row, withBots: boolean): Row {
  return withBots ? { ...metrics, clicks: metrics.clicks + metrics.bots } : metrics;
}

function mostFrequent(words: readonly ValueMetrics[], withBots: boolean): ValueMetrics[] {
  return words
    .map((metrics) => shown(metrics, withBots))
    .filter(({ clicks }) => clicks > 0)
    .sort((one, other) => other.clicks - one.clicks)
    .slice(0, mostValues);
}
