import type { Condition, Rule } from '../../contract/rules.ts';
import { type ConditionTest, conditionTest, type Visit } from './conditions.ts';

/** A rule of a link, ready for visits. */
export interface PreparedRule {
  readonly conditions: readonly { readonly condition: Condition; readonly isMet: ConditionTest }[];
  /** Where it leads, in the form that is sent; undefined when the stored address may not be (T-19). */
  destination(): string | undefined;
}

/** Called for each condition of the rules that are looked at, whether or not the one before it was met. */
export type Trace = (rule: number, condition: Condition, matched: boolean) => void;

/**
 * Prepares the stored rules of a link, once for all of its visits. `safeRedirectUrl` checks an address before it is
 * sent.
 */
export function prepareRules(
  rules: readonly Rule[],
  linkId: number,
  safeRedirectUrl: (text: string) => string | undefined,
): readonly PreparedRule[] {
  return rules.map(({ conditions, link }) => {
    // Most rules are read more often than they are followed.
    let checked: string | false | undefined;
    return {
      conditions: conditions.map((condition) => ({ condition, isMet: conditionTest(condition, linkId) })),
      destination() {
        checked ??= safeRedirectUrl(link) ?? false;
        return checked || undefined;
      },
    };
  });
}

/**
 * The index of the first rule of which all conditions are met, or -1 (decision 0022). A visit has no trace: it
 * stops at the first condition that is not met.
 */
export function firstMatch(rules: readonly PreparedRule[], visit: Visit, trace?: Trace): number {
  for (let index = 0; index < rules.length; index += 1) {
    const { conditions } = rules[index] as PreparedRule;
    if (trace) {
      for (const { condition, isMet } of conditions) trace(index, condition, isMet(visit));
    }
    if (conditions.every(({ isMet }) => isMet(visit))) return index;
  }
  return -1;
}
