import { accountParty } from '../../platform/concurrency/fair-queue.ts';
import type { Slices } from '../../platform/jobs/slices.ts';
import { nameForOthers } from '../../platform/mail/letters.ts';
import type { MailService } from '../../platform/mail/module.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import type { HealthLists, HealthQueries } from './queries.ts';

const week = 7 * 24 * 3_600_000;
/** Links that a message names; of more the app tells. */
const mostNamed = 20;
/** Accounts that are looked for at a time. */
const accountsAtOnce = 100;

interface Warning {
  person: number;
  account: number;
  /** The links that were broken when it was posted. */
  links: readonly number[];
}

interface Options {
  mail: Pick<MailService, 'linkTo' | 'writeWith' | 'postIfPossible'>;
  queries: HealthQueries;
  lists: Pick<HealthLists, 'findUntold'>;
  slices: Pick<Slices, 'run'>;
  baseUrl: () => string;
}

/** Tells people by email which links are broken: once a week at most, and only when another one has broken since. */
export function healthWarnings({ mail, queries, lists, slices, baseUrl }: Options) {
  const post = mail.writeWith(
    'broken-links',
    ({ person, account, links: ids }: Warning) => {
      const keeper = queries.findKeeper(person, account);
      const links = queries.broken(account, ids);
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
    },
    { refusesTooMany: true },
  );

  return {
    /** Posts what is due at a moment; what cannot be posted is due still. */
    async tell(at: number): Promise<void> {
      let after = 0;
      for (;;) {
        const found = await lists.findUntold({
          before: at - week,
          after,
          accounts: accountsAtOnce,
          links: mostNamed,
        });
        const last = found.at(-1);
        if (!last) return;
        const rest = found.values();
        await slices.run(() => {
          const { value, done } = rest.next();
          if (done) return false;
          const { account, links } = value;
          const isTold = mail.postIfPossible(() => {
            for (const person of queries.keepersOf(account))
              post({ person, account, links }, accountParty(account));
          });
          if (isTold) queries.noteTold(account, at);
          return true;
        });
        after = last.account;
      }
    },
  };
}

export type HealthWarnings = ReturnType<typeof healthWarnings>;
