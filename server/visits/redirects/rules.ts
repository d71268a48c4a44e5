import type { Condition, Rule } from '../../contract/rules.ts';
import { type ConditionTest, conditionTest, type Visit } from './conditions.ts';

/** A link's rule, prepared for visits. */
export interface PreparedRule {
  readonly conditions: readonly { readonly condition: Condition; readonly isMet: ConditionTest }[];
  /** Its destination in sendable form; undefined if the stored one must not be sent (T-19). */
  destination(): string | undefined;
}

/** Called for each condition of the evaluated rules, even after one that was not met. */
export type Trace = (rule: number, condition: Condition, matched: boolean) => void;

/**
 * Compiles the stored rules of a link, once for all its visits. `safeRedirectUrl` checks a URL before it is
 * sent.
 */
export function prepareRules(
  rules: readonly Rule[],
  linkId: number,
  safeRedirectUrl: (text: string) => string | undefined,
): readonly PreparedRule[] {
  return rules.map(({ conditions, link }) => {
    // Most rules are evaluated more often than they match.
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
 * The index of the first rule whose conditions are all met, or -1 (decision 0022). Without a trace it
 * stops at each rule's first condition that is not met.
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
