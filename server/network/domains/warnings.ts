import { accountParty } from '../../platform/concurrency/fair-queue.ts';
import type { MailService } from '../../platform/mail/module.ts';
import type { DomainWarningQueries } from './warning-queries.ts';

interface Options {
  mail: Pick<MailService, 'linkTo' | 'writeWith' | 'postIfPossible'>;
  queries: DomainWarningQueries;
}

interface TroubledDomain {
  id: number;
  host: string;
  user_id: number | null;
}

interface Warning {
  keeper: number;
  domain: { id: number; host: string };
  /** The day when the certificate ends, `YYYY-MM-DD`; absent where the DNS is at fault. */
  until?: string;
}

/** Consecutive failed renewals before people are notified: authorities have bad days. */
export const failedRenewals = 3;

/** Emails people when one of their domains stops working or is about to; they can turn that off. */
export function domainWarnings({ mail, queries }: Options) {
  const post = mail.writeWith(
    'domain-warning',
    ({ keeper, domain, until }: Warning) => {
      const person = queries.findKeeper(keeper);
      if (!person) return undefined;
      return {
        kind: until === undefined ? 'domainFailed' : 'certificateFailed',
        to: person.email,
        values: { domain: domain.host, ...(until !== undefined && { until: { at: Date.parse(until) } }) },
        url: mail.linkTo(`/admin/domains/${domain.id}`),
        languages: person.language === '' ? [] : [person.language],
        isOptional: true,
      };
    },
    { refusesTooMany: true },
  );

  /** If it could not be sent, it is sent again while the problem lasts. */
  function tell({ id, host, user_id }: TroubledDomain, until?: string): void {
    if (user_id === null) return;
    const isTold = mail.postIfPossible(() => {
      for (const keeper of queries.keepersOf(user_id)) {
        const warning = { keeper, domain: { id, host }, ...(until !== undefined && { until }) };
        post(warning, accountParty(user_id));
      }
    });
    if (isTold) queries.forgetUntold(id);
    else queries.noteUntold(id, until ?? null);
  }

  return {
    /** Sends notices that could not be sent before, if they still apply. Runs inside a transaction. */
    tellAgain(): void {
      for (const { until, isOver, ...domain } of queries.listUntold(failedRenewals)) {
        if (isOver) queries.forgetUntold(domain.id);
        else tell(domain, until ?? undefined);
      }
    },
    /** The DNS of a working domain now points elsewhere. Runs inside a transaction. */
    dnsFailed: (domain: TroubledDomain): void => tell(domain),
    /** Its certificate could not be renewed, again. Runs inside a transaction. */
    renewalFailed: (domain: TroubledDomain, expiresAt: number): void =>
      tell(domain, new Date(expiresAt).toISOString().slice(0, 10)),
  };
}

export type DomainWarnings = ReturnType<typeof domainWarnings>;
