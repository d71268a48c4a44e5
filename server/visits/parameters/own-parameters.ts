import { parameterDimensions } from '../../contract/dimensions.ts';
import { longestParameterValue, type OwnParameter } from '../../contract/parameters.ts';
import { rejected } from '../../platform/errors.ts';
import { storedSlots } from '../../platform/text/stored-json.ts';

/**
 * An account's own query parameters by slot. A name keeps its slot while it exists, so that its statistics remain its
 * own; the counted value is `name=value`, so that a reused slot shows nothing old.
 */
export type ParameterNames = readonly (string | null)[];

const none: ParameterNames = [];

/** Parses what is stored for an account. */
export function readNames(json: string | null): ParameterNames {
  return json === null ? none : storedSlots(json);
}

/** Assigns names to slots, keeping existing ones. Throws 400 for a name that cannot be counted. */
export function placedNames(before: ParameterNames, wanted: readonly string[]): ParameterNames {
  for (const [index, name] of wanted.entries()) {
    if (wanted.indexOf(name) !== index) {
      throw rejected('duplicate', `parameters.${index}`, `${name} is in the list twice.`);
    }
    if (name.startsWith('utm_') || name === 'notrack') {
      throw rejected(
        'reserved',
        `parameters.${index}`,
        `${name} is counted or used already. Choose another name.`,
      );
    }
  }
  const names = parameterDimensions.map((_, place) => {
    const name = before[place];
    return name && wanted.includes(name) ? name : null;
  });
  for (const name of wanted) if (!names.includes(name)) names[names.indexOf(null)] = name;
  return names.some((name) => name !== null) ? names : none;
}

/** The names with their dimensions. */
export function presentNames(names: ParameterNames): OwnParameter[] {
  return parameterDimensions.flatMap((dimension, place) => {
    const name = names[place];
    return name ? [{ name, dimension }] : [];
  });
}

/** The counted values of a query, by slot: `name=value`, '' if absent; undefined if the account counts none. */
export function countedValues(names: ParameterNames, query: string): readonly string[] | undefined {
  if (names.length === 0 || query === '') return undefined;
  const sent = new URLSearchParams(query);
  let isAny = false;
  const words = names.map((name) => {
    const value = name === null ? null : sent.get(name);
    if (value === null || value === '') return '';
    isAny = true;
    return `${name}=${value.slice(0, longestParameterValue).toWellFormed()}`;
  });
  return isAny ? words : undefined;
}
