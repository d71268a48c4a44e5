/** A webhook with messages that are due. */
export interface DueWebhook {
  id: number;
  user_id: number;
  url: string;
  /** Whether its last attempt delivered nothing. */
  failing: 0 | 1;
}

export interface FairShares {
  /** Which of these gets the next attempt; undefined while none may have one. */
  next(due: readonly DueWebhook[]): DueWebhook | undefined;
  /** An attempt begins; the function it returns ends it. */
  begin(webhook: DueWebhook): () => void;
}

/** Concurrent attempts of all webhooks: fewer than the fetcher allows, which others need as well. */
const atOnce = 24;
/** Of these, attempts at webhooks where nothing arrived last: however many are silent, the others have room. */
const failingAtOnce = 12;
/** By account, and by host of the address. */
const eachAtOnce = 4;
/** By webhook: one that is silent never takes all places of its account. */
const sameAtOnce = 3;
/** By account, until only webhooks without an attempt under way get another: several that are silent leave a place, too. */
const sharedAtOnce = 3;
/** Of an account's, attempts at webhooks where nothing arrived last: its others do not wait for those that are silent. */
const failingEachAtOnce = 2;

/**
 * Shares attempts out among accounts: the one with the fewest under way comes first, then the one that has waited
 * longest. An address that does not answer takes a place for as long as the fetcher is patient, so no account and no
 * host has many.
 */
export function fairShares(): FairShares {
  const accounts = new Map<number, number>();
  const failingAccounts = new Map<number, number>();
  const hosts = new Map<string, number>();
  const webhooks = new Map<number, number>();
  /** Accounts and webhooks by the number of their last attempt, the latest last. */
  const lastServed = new Map<string, number>();
  let served = 0;
  let all = 0;
  let failing = 0;

  const underWay = ({ user_id }: DueWebhook) => accounts.get(user_id) ?? 0;
  const servedAt = (name: string) => lastServed.get(name) ?? 0;

  function mayBegin(webhook: DueWebhook): boolean {
    const { failing: isFailing, id, user_id } = webhook;
    const own = webhooks.get(id) ?? 0;
    if (own >= sameAtOnce || (own > 0 && underWay(webhook) >= sharedAtOnce)) return false;
    if (isFailing && (failing >= failingAtOnce || (failingAccounts.get(user_id) ?? 0) >= failingEachAtOnce))
      return false;
    return underWay(webhook) < eachAtOnce && (hosts.get(hostOf(webhook)) ?? 0) < eachAtOnce;
  }

  function compare(one: DueWebhook, other: DueWebhook): number {
    return (
      underWay(one) - underWay(other) ||
      servedAt(`account ${one.user_id}`) - servedAt(`account ${other.user_id}`) ||
      servedAt(`webhook ${one.id}`) - servedAt(`webhook ${other.id}`)
    );
  }

  return {
    next(due) {
      if (all >= atOnce) return undefined;
      let best: DueWebhook | undefined;
      for (const webhook of due) {
        if (mayBegin(webhook) && (!best || compare(webhook, best) < 0)) best = webhook;
      }
      return best;
    },

    begin(webhook) {
      const host = hostOf(webhook);
      const { failing: share } = webhook;
      served += 1;
      for (const name of [`account ${webhook.user_id}`, `webhook ${webhook.id}`]) {
        lastServed.delete(name);
        lastServed.set(name, served);
      }
      forgetOldest(lastServed);
      all += 1;
      failing += share;
      add(accounts, webhook.user_id, 1);
      if (share) add(failingAccounts, webhook.user_id, 1);
      add(hosts, host, 1);
      add(webhooks, webhook.id, 1);
      return () => {
        all -= 1;
        failing -= share;
        add(accounts, webhook.user_id, -1);
        if (share) add(failingAccounts, webhook.user_id, -1);
        add(hosts, host, -1);
        add(webhooks, webhook.id, -1);
      };
    },
  };
}

/** Accounts and webhooks that are remembered. One that is forgotten counts as never served, which does no harm. */
const mostRemembered = 10_000;

function forgetOldest(lastServed: Map<string, number>): void {
  for (const name of lastServed.keys()) {
    if (lastServed.size <= mostRemembered) return;
    lastServed.delete(name);
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

/** Looked at for each webhook that waits, whenever an attempt ends. */
const knownHosts = new WeakMap<DueWebhook, string>();

function hostOf(webhook: DueWebhook): string {
  const known = knownHosts.get(webhook);
  if (known !== undefined) return known;
  const host = URL.parse(webhook.url)?.host ?? '';
  knownHosts.set(webhook, host);
  return host;
}
