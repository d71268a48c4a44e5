import { useI18n } from 'vue-i18n';
import type { DomainDetails, DomainLogEntry } from '../../../server/contract/domains.ts';
import { useFormat } from '../../ui/use-format.ts';

/** The sentences of the DNS states that are those of a check, too. */
const stateOf = {
  direct: 'here',
  cloudflare: 'claimed',
  elsewhere: 'elsewhere',
  unresolved: 'nowhere',
} as const;

/** Says what happened to a domain in the reader's language. */
export function useDomainSentences() {
  const { t } = useI18n();
  const format = useFormat();

  /** The result of a DNS lookup; undefined for a reason that this version does not know. */
  function sayLookup(host: string, { reason, address = '' }: DomainDetails): string | undefined {
    if (reason === 'unanswered') return t('domains.log.unanswered', { host });
    if (reason === 'address_unknown') return t('domains.setup.noAddress');
    const state = stateOf[reason as keyof typeof stateOf];
    return state && t(`domains.steps.dns.${state}`, { host, address });
  }

  function sayFacts(
    host: string,
    event: DomainLogEntry['event'],
    details: DomainDetails,
  ): string | undefined {
    const { reason, address, until, answer } = details;
    const date = until && format.timestamp(until);
    switch (event) {
      case 'added':
        return address && t('domains.log.resolves', { host, address });
      case 'dns_passed':
      case 'dns_failed':
        return sayLookup(host, details);
      case 'proof_missing':
        return date && t('domains.steps.proof.lapses', { date });
      case 'proved':
        return reason && t(`domains.log.proved.${reason}`, { host });
      case 'activated':
        return t('domains.steps.routing.active', { host });
      case 'certificate_issued':
        return date && t('domains.log.validUntil', { date });
      case 'certificate_failed':
        return reason === 'unreachable'
          ? t('domains.log.unreachable')
          : answer && t('domains.log.refused', { answer });
      case 'certificate_revoked':
        return t('domains.log.reordered');
      // The title of the entry says it all.
      case 'enabled':
      case 'disabled':
        return '';
    }
  }

  return {
    sayLookup,
    /** What a log entry says; the server's sentence if there are no facts to it. '' if its title says it all. */
    sayEntry: (host: string, { event, details, message }: DomainLogEntry): string =>
      (details ? sayFacts(host, event, details) : undefined) ?? message,
  };
}
