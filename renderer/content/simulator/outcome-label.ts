import type { ComposerTranslation } from 'vue-i18n';
import type { CaseExpectation } from '../../../server/contract/simulator.ts';
import { readableAddress } from '../../ui/addresses.ts';

/** An outcome in a few words: its address, or that it is a page; the rule where that is expected. */
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
