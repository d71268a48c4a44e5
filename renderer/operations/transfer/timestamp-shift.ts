import type { Rule } from '../../../server/contract/rules.ts';
import { instantOf, timestampIn } from '../../ui/timestamps.ts';

export interface ShiftedTimestamp {
  /** `YYYY-MM-DD HH:MM:SS` as the other account writes it. */
  readonly text: string;
  /** False where a zone is unknown here, or the time is in an hour that a change of clocks repeats there. */
  readonly isExact: boolean;
}

/**
 * The same instant in another account's time zone: the wire has no zone, each account reads timestamps in its own
 * (decision 0002). Where that cannot be said, the text stays or is an hour off, and `isExact` is false.
 */
export function shiftTimestamp(text: string, from: string, to: string): ShiftedTimestamp {
  const instant = instantOf(text, from);
  const shifted = instant && timestampIn(instant, to);
  if (shifted === undefined) return { text, isExact: from === to };
  return { text: shifted, isExact: instantOf(shifted, to)?.getTime() === instant?.getTime() };
}

/** Rules with the timestamps of their date conditions shifted. A schedule names its own zone and stays. */
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
