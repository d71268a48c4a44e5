import type { ComposerTranslation } from 'vue-i18n';
import type { CaseExpectation } from '../../../server/contract/simulator.ts';
import { readableAddress } from '../../ui/addresses.ts';

/** Short description of an outcome: its URL, or that it is a page; also the rule, if one is expected. */
export function outcomeLabel(outcome: CaseExpectation, t: ComposerTranslation): string {
  const parts: string[] = [];
  if (outcome.link) parts.push(readableAddress(outcome.link));
  else if (outcome.link === null || outcome.status !== undefined) {
    parts.push(t('simulator.cases.page', { status: outcome.status ?? 200 }));
  }
  if (outcome.rule === null) parts.push(t('simulator.cases.noRule'));
  else if (outcome.rule !== undefined) parts.push(t('simulator.cases.rule', { n: outcome.rule + 1 }));
  return parts.join(' · ');
}
