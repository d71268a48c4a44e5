import type { MovedResource, MoveSkip, RelatedChoice } from '../../contract/moving.ts';
import { type Ceiling, ceilings } from '../../identity/plans/ceilings.ts';
import type { StorageQuota } from '../../identity/plans/storage-quota.ts';
import type { DomainQueries } from '../../identity/plans/usable-domains.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import type { Account } from '../../platform/http/caller.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import type { StoredBlock } from '../../visits/redirects/pages/bio-blocks.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import type { MovingQueries, MovingRow } from './queries.ts';
import { type LinkReferences, type ReferenceQueries, typeOf } from './reference-queries.ts';

export interface MoverParts {
  queries: MovingQueries;
  references: ReferenceQueries;
  domains: Pick<DomainQueries, 'findUsable'>;
  quota: Pick<StorageQuota, 'left'>;
  transactions: Transactions;
  /** Notes that the metrics of a link follow it. */
  moveMetrics: (link: number, from: number, to: number) => void;
  baseUrl: () => string;
  now: () => number;
}

/** What one move is about. */
export interface MoveOrder {
  changeId: number;
  from: number;
  to: Account;
  related: RelatedChoice;
  /** Why a record of this creator may not be moved; undefined if it may. */
  refusalOf: (creator: number) => MoveSkip | undefined;
  /** Whether a record in the target account is hidden from the person; none by default. */
  isHidden?: (resource: MovedResource, id: number) => boolean;
  /** Whether to ignore the plan: an administrator transfers a person's records to another. */
  ignoresPlan?: boolean;
}

/** Said of a record that stays where it is; everything that was begun for it is rolled back. */
class Stays extends Error {
  readonly code: MoveSkip;
  constructor(code: MoveSkip) {
    super(code);
    this.code = code;
  }
}

const ceilingOf: Partial<Record<MovedResource, Ceiling>> = {
  campaigns: 'campaigns',
  channels: 'channels',
  pixels: 'pixels',
  qr: 'qrCodes',
  bio: 'bioPages',
  overlays: 'overlays',
  splash: 'splashPages',
  files: 'files',
};
const featureOf: Partial<Record<MovedResource, 'pixels' | 'bio' | 'overlay' | 'splash'>> = {
  pixels: 'pixels',
  bio: 'bio',
  overlays: 'overlay',
  splash: 'splash',
};

/** Names of campaigns and channels that are tried before one is left where it is. */
const mostNames = 100;

/**
 * Moves records to another account, each completely or not at all. Runs inside a transaction. What a record refers to
 * is moved, copied or left; in the last case the reference is removed.
 */
export function mover(parts: MoverParts, order: MoveOrder) {
  const { queries, references, domains, quota, transactions, moveMetrics, baseUrl, now } = parts;
  const { changeId, from, to, related, refusalOf } = order;
  const toId = to.user.id;
  /** The counterpart in the other account of a referenced record. */
  const standIns = new Map<string, number | null>();

  /** Moves one record. Returns why it stays, or undefined. */
  function move(resource: MovedResource, id: number, isNamed = true): MoveSkip | undefined {
    const known = new Map(standIns);
    try {
      transactions.atomically(() => carry(resource, id, isNamed));
      return undefined;
    } catch (error) {
      if (!(error instanceof Stays)) throw error;
      standIns.clear();
      for (const [key, value] of known) standIns.set(key, value);
      return error.code;
    }
  }

  function carry(resource: MovedResource, id: number, isNamed: boolean): void {
    const row = queries.find(resource, id, from);
    if (!row) throw new Stays('not_found');
    const refusal = refusalOf(row.creator);
    if (refusal) throw new Stays(refusal);
    if (row.domain_id !== null && !domains.findUsable(row.domain_id, toId)) throw new Stays('domain');
    if (row.trashed === 0) checkRoom(resource, row.size ?? 0);
    if ((resource === 'campaigns' || resource === 'channels') && isNamed) findName(resource, row);
    // Before its references, so that they find it moved.
    queries.give(resource, id, toId, row.creator);
    queries.note(changeId, resource, id, true, carryReferences(resource, id));
  }

  /** Returns what the record referred to before. */
  function carryReferences(resource: MovedResource, id: number): object {
    switch (resource) {
      case 'links':
        return carryLink(id);
      case 'qr':
        return carryCode(id);
      case 'bio':
        return carryPage(id);
      case 'overlays':
      case 'splash':
        references.copyPictures(resource, id, from, toId);
        checkPictures();
        return {};
      default:
        return {};
    }
  }

  function carryLink(id: number): object {
    const before = references.ofLink(id);
    moveMetrics(id, from, toId);
    references.moveTokens(id, from, toId);
    references.moveHistory(id, from, toId);
    references.setOfLink(id, before, standInsOf(before));
    for (const code of references.codesOfLink(id, from)) {
      if (move('qr', code) !== undefined) detachCode(code);
    }
    return before;
  }

  function standInsOf(before: LinkReferences): LinkReferences {
    const all = (resource: MovedResource, ids: number[]) =>
      ids.map((id) => standIn(resource, id)).filter((id) => id !== null);
    return {
      ...before,
      campaign: before.campaign === null ? null : standIn('campaigns', before.campaign),
      channels: all('channels', before.channels),
      pixels: all('pixels', before.pixels),
      type: standInOfType(before.type),
    };
  }

  function standInOfType(type: string): string {
    const [, prefix, digits] = /^(overlay-)?(\d+)$/.exec(type) ?? [];
    if (digits === undefined) return type;
    const resource = prefix ? 'overlays' : 'splash';
    const id = standIn(resource, Number(digits));
    return id === null ? 'direct' : typeOf(resource, id);
  }

  function carryCode(id: number): object {
    const before = { channels: references.channelsOf('qr', id), ...references.code(id) };
    references.setChannels('qr', id, channelsFor(before.channels));
    const link = before.link_id;
    if (link && references.ownerOfLink(link) !== toId) {
      if (related !== 'move' || move('links', link) !== undefined) leadToAddress(id, link);
    }
    return before;
  }

  /** A code that cannot follow its link leads to the link's URL instead. */
  function detachCode(id: number): void {
    const before = references.code(id);
    if (!before?.link_id) return;
    leadToAddress(id, before.link_id);
    queries.note(changeId, 'qr', id, false, before);
  }

  function leadToAddress(id: number, link: number): void {
    const found = references.addressOf(link);
    references.setCode(id, null, JSON.stringify(found ? { url: shortUrl(found, baseUrl()) } : {}));
  }

  function carryPage(id: number): object {
    const channels = references.channelsOf('bio', id);
    const domainIds = references.domainsOfPage(id, toId);
    references.copyPictures('bio', id, from, toId);
    checkPictures();
    const blocks = references.blocks(id);
    references.setChannels('bio', id, channelsFor(channels));
    for (const domain of domainIds) references.showOnDomain(domain, null, toId);
    const kept = (JSON.parse(blocks) as StoredBlock[]).flatMap((block) => carryBlock(block));
    const json = JSON.stringify(kept);
    if (json !== blocks) references.setBlocks(id, json);
    return { channels, domains: domainIds, blocks };
  }

  /** A block with a link that stays leads to its URL; one with a file that stays is removed. */
  function carryBlock(block: StoredBlock): StoredBlock[] {
    const follows = (resource: 'links' | 'files', id: number, owner: number | undefined) =>
      owner === toId || (related === 'move' && move(resource, id) === undefined);
    if (block.type === 'file')
      return follows('files', block.file, references.ownerOfFile(block.file)) ? [block] : [];
    if (block.type !== 'link' || block.link === undefined) return [block];
    if (follows('links', block.link, references.ownerOfLink(block.link))) return [block];
    const { link: _gone, ...rest } = block;
    return [rest];
  }

  const channelsFor = (ids: readonly number[]) =>
    ids.map((id) => standIn('channels', id)).filter((id) => id !== null);

  /** What takes the place of something that a moved record refers to; null for nothing. Throws where it has no room. */
  function standIn(resource: MovedResource, id: number): number | null {
    const key = `${resource} ${id}`;
    const known = standIns.get(key);
    if (known !== undefined) return known;
    const found = findStandIn(resource, id);
    standIns.set(key, found);
    return found;
  }

  function findStandIn(resource: MovedResource, id: number): number | null {
    if (queries.find(resource, id, toId)) return id;
    const row = queries.find(resource, id, from);
    // Hidden records are neither moved nor copied, nor matched in the target account.
    if (!row || related === 'leave' || refusalOf(row.creator) === 'not_found') return null;
    const same = queries.findSame(resource, id, toId);
    if (same !== undefined) return order.isHidden?.(resource, same) ? null : same;
    if (related === 'move') {
      const stays = move(resource, id, false);
      if (stays !== undefined) throw new Stays(stays);
      return id;
    }
    checkRoom(resource, 0);
    const copy = queries.copy(resource, id, toId, now());
    if (resource === 'overlays' || resource === 'splash') {
      references.copyPictures(resource, copy, from, toId);
      checkPictures();
    }
    return copy;
  }

  function checkRoom(resource: MovedResource, bytes: number): void {
    if (order.ignoresPlan) return;
    const { limits, features } = to.plan;
    const there = queries.count(resource, toId);
    const feature = featureOf[resource];
    const { enabled = true, count = -1 } = feature === undefined ? {} : (features[feature] ?? {});
    const ceiling = ceilingOf[resource];
    const most = resource === 'links' ? limits.links : resource === 'files' ? limits.files : count;
    const isFull =
      !enabled ||
      (most >= 0 && there >= most) ||
      (ceiling !== undefined && there >= ceilings[ceiling].most) ||
      (bytes > 0 && quota.left(to) < bytes);
    if (isFull) throw new Stays('plan_limit');
  }

  function checkPictures(): void {
    if (!order.ignoresPlan && quota.left(to) < 0) throw new Stays('plan_limit');
  }

  /** Two campaigns, or channels, of an account have different names: one that was chosen itself gets a number. */
  function findName(resource: 'campaigns' | 'channels', { id, name }: MovingRow): void {
    const given = name ?? '';
    for (let number = 1; number <= mostNames; number += 1) {
      const wanted = number === 1 ? given : `${given} (${number})`;
      if (queries.isNameTaken(resource, toId, caseFold(wanted))) continue;
      if (number > 1) queries.rename(resource, id, wanted, caseFold(wanted));
      return;
    }
    throw new Stays('plan_limit');
  }

  return { move };
}
