import { accountParty } from '../../platform/concurrency/fair-queue.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { nameForOthers } from '../../platform/mail/letters.ts';
import type { MailService } from '../../platform/mail/module.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import type { HealthQueries } from './queries.ts';

const week = 7 * 24 * 3_600_000;
/** Links that a message names; of more the app tells. */
const mostNamed = 20;

interface Options {
  mail: Pick<MailService, 'linkTo' | 'writeWith' | 'postIfPossible'>;
  queries: HealthQueries;
  transactions: Transactions;
  baseUrl: () => string;
}

/** Tells people by email which links are broken: once a week at most, and only when another one has broken since. */
export function healthWarnings({ mail, queries, transactions, baseUrl }: Options) {
  const post = mail.writeWith('broken-links', ({ person, account }: { person: number; account: number }) => {
    const keeper = queries.findKeeper(person, account);
    const links = queries.broken(account, mostNamed);
    // They work again, or nobody wants to know by now.
    if (!keeper || links.length === 0) return undefined;
    const lines = links.map((link) => {
      const { host } = new URL(link.address);
      // The host is chosen by whoever made the link, and is to be no link in the message.
      return `${shortUrl(link, baseUrl())} (${nameForOthers(host)})`;
    });
    return {
      kind: 'brokenLinks',
      to: keeper.email,
      values: { links: lines },
      url: mail.linkTo(`/admin/${keeper.is_team ? `team/${account}/` : ''}links?health=broken`),
      languages: keeper.language === '' ? [] : [keeper.language],
      isOptional: true,
    };
  });

  return {
    /** Posts what is due at a moment. */
    tell(at: number): void {
      transactions.atomically(() => {
        for (const account of queries.untold(at - week)) {
          for (const person of queries.keepersOf(account)) {
            mail.postIfPossible(() => post({ person, account }, accountParty(account)));
          }
          queries.noteTold(account, at);
        }
      });
    },
  };
}

export type HealthWarnings = ReturnType<typeof healthWarnings>;
