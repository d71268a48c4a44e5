import { countriesOf } from '../../contract/continents.ts';
import type { LoggedDimension } from '../../contract/dimensions.ts';
import { parameterDimensions } from '../../contract/dimensions.ts';
import { type StatsDimension, statsDimensions } from '../../contract/stats.ts';
import type { ParameterNames } from '../parameters/own-parameters.ts';
import type { Filters } from './filter-queries.ts';

/** The values that clicks may have, as people name them. */
export type ChosenValues = Partial<Record<StatsDimension, readonly string[] | undefined>>;

/** The filters among what a query asks for. */
export function filtersOf(query: ChosenValues): ChosenValues {
  return Object.fromEntries(statsDimensions.map((name) => [name, query[name]]));
}

/** What filters compare with: own parameters are logged with their names, continents by their countries. */
export function loggedFilters({ continent, ...chosen }: ChosenValues, names: ParameterNames = []): Filters {
  const filters =
    continent && continent.length > 0
      ? { ...chosen, country: countriesIn(continent, chosen.country) }
      : chosen;
  const entries = Object.entries(filters) as [LoggedDimension, readonly string[] | undefined][];
  return Object.fromEntries(
    entries.map(([dimension, values]) => {
      const name = parameterOf(dimension, names);
      if (name === undefined) return [dimension, values];
      return [dimension, values?.map((value) => (value === '' ? '' : `${name ?? ''}=${value}`))];
    }),
  );
}

/** The parameter that a dimension counts; null where its place is free, undefined where it counts something else. */
export function parameterOf(dimension: LoggedDimension, names: ParameterNames): string | null | undefined {
  const place = (parameterDimensions as readonly string[]).indexOf(dimension);
  return place < 0 ? undefined : (names[place] ?? null);
}

/** The countries of continents, of those that are chosen where any are; what is on none is the unknown one. */
function countriesIn(chosen: readonly string[], among: readonly string[] | undefined): string[] {
  const found = chosen.flatMap((continent) => (continent === '' ? [''] : countriesOf(continent)));
  return among && among.length > 0 ? found.filter((country) => among.includes(country)) : found;
}
