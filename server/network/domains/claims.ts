import type { DomainQueries, HolderRow } from '../../identity/plans/usable-domains.ts';
import { rejected } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Claim, DomainProofs } from './proof.ts';

interface Options {
  findHolder: DomainQueries['findHolder'];
  /** Whether a name is the instance's own. */
  isOwnHost: (host: string) => boolean;
  proofs: Pick<DomainProofs, 'taskOf' | 'isGivenTo'>;
  /** Removes a domain immediately; resolves when its content is moved, or when that takes long. */
  release: (id: number) => Promise<void>;
  /** Writes down for an account that a host of theirs was given to the owner of its zone. */
  noteLoss: (userId: number, host: string) => void;
  changes: Pick<Changes, 'publish'>;
}

/**
 * Decides who may add a host. The first account that adds one has it, unless the host's DNS zone names another
 * account: only the owner can write that. Platform domains belong to the administrators.
 */
export function domainClaims({ findHolder, isOwnHost, proofs, release, noteLoss, changes }: Options) {
  function checkNotOwn(host: string): void {
    if (!isOwnHost(host)) return;
    throw rejected('invalid_domain', 'domain', "This is the instance's own address.");
  }

  return {
    /** Throws 400 unless the host is free. */
    checkFree(host: string): void {
      checkNotOwn(host);
      if (findHolder(host)) throw taken();
    },

    /**
     * The account that must give the host up for a claim; undefined if nobody has it. Throws 400 `domain_taken` if
     * nobody must give it up.
     */
    async findDisplaced(claim: Claim): Promise<HolderRow | undefined> {
      checkNotOwn(claim.host);
      const holder = findHolder(claim.host);
      if (!holder) return undefined;
      const isSettled =
        holder.removed_at !== null || holder.user_id === null || holder.user_id === claim.user_id;
      if (isSettled) throw taken();
      if (await proofs.isGivenTo(claim, { ...claim, user_id: holder.user_id })) return holder;
      const { name, value } = proofs.taskOf(claim).record;
      throw taken(` If it is yours, create the TXT record ${name} with the value ${value}, and try again.`);
    },

    /**
     * Takes the host from the account that must give it up. Throws 400 `domain_taken` while its content is being
     * moved.
     */
    async displace(holder: HolderRow, host: string): Promise<void> {
      // Its current owner was not checked.
      if (findHolder(host)?.id !== holder.id) return;
      if (holder.user_id !== null) noteLoss(holder.user_id, host);
      await release(holder.id);
      if (holder.user_id !== null)
        changes.publish({ accountId: holder.user_id, resource: 'domains', ids: [holder.id] });
      if (findHolder(host)) throw taken(' Another account is giving it up; try again in a minute.');
    },
  };
}

export type DomainClaims = ReturnType<typeof domainClaims>;

function taken(hint = '') {
  return rejected('domain_taken', 'domain', `This domain was added already. Each can be used once.${hint}`);
}
