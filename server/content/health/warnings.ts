import { accountParty } from '../../platform/concurrency/fair-queue.ts';
import type { Slices } from '../../platform/jobs/slices.ts';
import { nameForOthers } from '../../platform/mail/letters.ts';
import type { MailService } from '../../platform/mail/module.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import type { HealthLists, HealthQueries } from './queries.ts';

const week = 7 * 24 * 3_600_000;
/** Links listed in an email; the app shows the others. */
const mostNamed = 20;
/** Accounts read at a time. */
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

/** Emails people about broken links: once a week at most, and only if another one has broken since. */
export function healthWarnings({ mail, queries, lists, slices, baseUrl }: Options) {
  const post = mail.writeWith(
    'broken-links',
    ({ person, account, links: ids }: Warning) => {
      const keeper = queries.findKeeper(person, account);
      const links = queries.broken(account, ids);
      // They work again, or the recipient no longer wants to know.
      if (!keeper || links.length === 0) return undefined;
      const lines = links.map((link) => {
        const { host } = new URL(link.address);
        // The link's creator chose the host; it must not become a link in the email.
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
    /** Sends what is due; what cannot be sent remains due. */
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
