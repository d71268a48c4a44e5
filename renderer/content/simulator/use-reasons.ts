import { useI18n } from 'vue-i18n';
import type { Condition } from '../../../server/contract/rules.ts';
import type { Simulation } from '../../../server/contract/simulator.ts';
import { useFormat } from '../../ui/use-format.ts';
import { useRuleLabels } from '../links/use-rule-labels.ts';

type Step = Simulation['steps'][number];
/** Reasons whose message also depends on whether the link has rules. */
const afterRules = ['store', 'test', 'winner', 'link'] as const;

/** Explains the outcome of a simulated visit. */
export function useReasons() {
  const { t } = useI18n();
  const format = useFormat();
  const labels = useRuleLabels();

  /** One or two sentences; undefined if the server only provides its own English sentence. */
  function whyOf({ reason, rule }: Pick<Simulation, 'reason' | 'rule'>): string | undefined {
    if (!reason) return undefined;
    const { code, rules, draw, inapp } = reason;
    const after = afterRules.find((each) => each === code);
    const why = after
      ? t(`simulator.why.${after}.${rules === 0 ? 'none' : 'unmet'}`, { n: draw ?? 0 })
      : t(`simulator.why.${code}`, { n: (rule ?? 0) + 1 });
    return inapp ? `${why} ${t('simulator.why.inapp')}` : why;
  }

  /** What a condition requires, and the visitor's value; undefined as above. */
  function partsOf({
    condition,
    found,
    unknown,
  }: Step): { asked: string; found: string; note: string } | undefined {
    if (found === undefined) return undefined;
    const note = unknown
      ? t(`simulator.result.unknown.${condition.type === 'city' ? 'city' : 'region'}`)
      : '';
    return { asked: labels.ofCondition(condition), found: labelOf(condition.type, found), note };
  }

  function labelOf(type: Condition['type'], found: NonNullable<Step['found']> | null): string {
    if (found === null && type === 'referrer') return t('simulator.result.noReferrer');
    if (found === null && type === 'query') return t('simulator.result.noParameter');
    if (found === null) return t('simulator.result.notKnown');
    if (typeof found === 'boolean') return t(found ? 'links.form.rules.wasHere' : 'links.form.rules.isNew');
    if (typeof found === 'number') return t('simulator.result.drawn', { n: format.number(found) });
    if (Array.isArray(found)) return format.list(found);
    if (typeof found === 'object') return `${labels.weekday(found.day)} ${found.time} (${found.timezone})`;
    return labels.ofValue(type, found);
  }

  return { whyOf, partsOf };
}
