import type { Rule } from '../../../server/contract/rules.ts';
import { instantOf, timestampIn } from '../../ui/timestamps.ts';

export interface ShiftedTimestamp {
  /** `YYYY-MM-DD HH:MM:SS` in the other account's time zone. */
  readonly text: string;
  /** False if the browser does not know a zone, or the time is ambiguous because of a clock change there. */
  readonly isExact: boolean;
}

/**
 * Converts a timestamp to another account's time zone: wire timestamps have no zone, and each account reads them in its
 * own (decision 0002). If that is not possible, the text is unchanged or off by an hour, and `isExact` is false.
 */
export function shiftTimestamp(text: string, from: string, to: string): ShiftedTimestamp {
  const instant = instantOf(text, from);
  const shifted = instant && timestampIn(instant, to);
  if (shifted === undefined) return { text, isExact: from === to };
  return { text: shifted, isExact: instantOf(shifted, to)?.getTime() === instant?.getTime() };
}

/** Rules with the timestamps of date conditions converted. Schedules name their own zone and are unchanged. */
export function shiftRules(
  rules: readonly Rule[],
  from: string,
  to: string,
): { rules: Rule[]; isExact: boolean } {
  let isExact = true;
  const shift = <Value>(value: Value): Value | string => {
    if (typeof value !== 'string') return value;
    const shifted = shiftTimestamp(value, from, to);
    isExact &&= shifted.isExact;
    return shifted.text;
  };
  const shifted = rules.map((rule) => ({
    ...rule,
    conditions: rule.conditions.map((condition) =>
      condition.type !== 'date'
        ? condition
        : {
            ...condition,
            value: Array.isArray(condition.value) ? condition.value.map(shift) : shift(condition.value),
          },
    ),
  }));
  return { rules: shifted, isExact };
}
