/** A webhook with messages that are due. */
export interface DueWebhook {
  id: number;
  user_id: number;
  url: string;
  /** Whether its last attempt brought nothing. */
  failing: 0 | 1;
}

export interface FairShares {
  /** Which of these gets the next attempt; undefined while none may have one. */
  next(due: readonly DueWebhook[]): DueWebhook | undefined;
  /** An attempt begins; the function it returns ends it. */
  begin(webhook: DueWebhook): () => void;
}

/** Attempts under way at once, over all webhooks: fewer than the fetcher does, which others need as well. */
const atOnce = 24;
/** Of these, attempts at webhooks where nothing arrived last: however many are silent, the others have room. */
const failingAtOnce = 12;
/** By account, and by host of the address. */
const eachAtOnce = 4;

/**
 * Shares attempts out among accounts: the one with the fewest under way comes first, then the one that has waited longest.
 * An address that does not answer takes a place for as long as the fetcher is patient, so no account and no host has many.
 */
export function fairShares(): FairShares {
  const accounts = new Map<number, number>();
  const hosts = new Map<string, number>();
  /** Accounts and webhooks in the order of their last turns, the latest last. */
  const turns = new Map<string, number>();
  let turn = 0;
  let all = 0;
  let failing = 0;

  const underWay = ({ user_id }: DueWebhook) => accounts.get(user_id) ?? 0;
  const lastTurn = (name: string) => turns.get(name) ?? 0;

  function mayBegin(webhook: DueWebhook): boolean {
    if (webhook.failing === 1 && failing >= failingAtOnce) return false;
    return underWay(webhook) < eachAtOnce && (hosts.get(hostOf(webhook)) ?? 0) < eachAtOnce;
  }

  function compare(one: DueWebhook, other: DueWebhook): number {
    return (
      underWay(one) - underWay(other) ||
      lastTurn(`account ${one.user_id}`) - lastTurn(`account ${other.user_id}`) ||
      lastTurn(`webhook ${one.id}`) - lastTurn(`webhook ${other.id}`)
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
      turn += 1;
      for (const name of [`account ${webhook.user_id}`, `webhook ${webhook.id}`]) {
        turns.delete(name);
        turns.set(name, turn);
      }
      forgetOldest(turns);
      all += 1;
      failing += webhook.failing;
      add(accounts, webhook.user_id, 1);
      add(hosts, host, 1);
      return () => {
        all -= 1;
        failing -= webhook.failing;
        add(accounts, webhook.user_id, -1);
        add(hosts, host, -1);
      };
    },
  };
}

/** Turns that are remembered. One that is forgotten counts as never had, which harms nobody. */
const mostTurns = 10_000;

function forgetOldest(turns: Map<string, number>): void {
  for (const name of turns.keys()) {
    if (turns.size <= mostTurns) return;
    turns.delete(name);
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

function hostOf({ url }: DueWebhook): string {
  return URL.parse(url)?.host ?? '';
}
