import type { CampaignChange, NewCampaign } from '../../contract/campaigns.ts';
import { composed } from '../../contract/composed.ts';
import { checkCeiling } from '../../identity/plans/ceilings.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { rejected, unavailable } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import type { Slices, Step } from '../../platform/jobs/slices.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import type { Trash } from '../../platform/trash/service.ts';
import { type FreeAlias, isAliasText } from '../links/aliases.ts';
import type { LinkReferences } from '../links/references.ts';
import type { LinkService } from '../links/service.ts';
import type { CampaignLists, CampaignQueries, CampaignRecord, CampaignRow } from './queries.ts';

/** Links that are positioned between two checks of the clock. */
const partSize = 10;

interface Options {
  queries: CampaignQueries;
  lists: Pick<CampaignLists, 'list' | 'memberLists'>;
  links: Pick<LinkService, 'get' | 'update'>;
  references: Pick<LinkReferences, 'domainOf' | 'domainIfThere'>;
  freeSlug: FreeAlias;
  trash: Trash;
  now: () => number;
  transactions: Transactions;
  slices: Slices;
  changes: Pick<Changes, 'publish'>;
}

/** A campaign in the trash. */
interface TrashedCampaign {
  row: CampaignRow;
}

/** Campaigns: groups of links with metrics, a rotator page and a list page in common (contract, "Campaigns"). */
export function campaignService(options: Options) {
  const { queries, lists, links, references, freeSlug, trash, now, transactions, slices, changes } = options;
  /** Campaigns that are being put in order, each with the latest wish. */
  const ordering = new Map<number, symbol>();

  const { get, remove, restore } = trash.removable<CampaignRow, TrashedCampaign>({
    resource: 'campaigns',
    label: 'Campaign',
    affects: ['links'],
    find: queries.find,
    contentOf: (row) => ({ row }),
    remove: queries.remove,
    reinsert({ row }, { user }) {
      checkCeiling('campaigns', queries.count(user.id));
      checkName(row.name, user.id);
      const record: CampaignRecord = {
        name: row.name,
        name_folded: caseFold(row.name),
        slug: row.slug === null ? null : readSlug(row.slug),
        public: row.public,
        domain_id: references.domainIfThere(row.host, user.id),
      };
      queries.reinsert(row, record, user.id);
    },
  });

  /** Throws 503 when the server stops before the end. */
  async function inSlices(step: Step): Promise<void> {
    if (await slices.run(step)) return;
    throw unavailable('The server is stopping. Send the order again after its next start.');
  }

  /** The name is checked before the slug (decision 0015). */
  function checkName(name: string, userId: number, own?: number): void {
    const holder = queries.findByName(userId, caseFold(name));
    if (holder !== undefined && holder !== own) {
      throw rejected('name_taken', 'name', 'You already have a campaign with that name.');
    }
  }

  /** Slugs are unique over the whole instance, one's own included (decision 0015). */
  function readSlug(text: string, own?: number): string {
    const slug = composed(text).trim();
    const holder = queries.findBySlug(slug);
    if (own !== undefined && holder === own) return slug;
    if (!isAliasText(slug)) {
      const message = 'Use 1 to 80 letters, digits, dashes, underscores, dots or tildes for the slug.';
      throw rejected('invalid_slug', 'slug', message);
    }
    if (holder !== undefined) {
      throw rejected('slug_taken', 'slug', 'This slug is already taken. Choose another one.');
    }
    return slug;
  }

  return {
    get,
    /** Detaches every link first; the links are kept (contract, "States and transitions"). */
    remove,
    /** Throws 404 when there is nothing to restore, 400 when name or slug is taken by now. */
    restore,

    list: (account: Account, q: string | undefined, page: ListPage): Promise<Page<CampaignRow>> =>
      lists.list(account.user.id, q === undefined ? null : caseFold(q), page),

    add(account: Account, body: NewCampaign): CampaignRow {
      const userId = account.user.id;
      const id = transactions.atomically(() => {
        checkCeiling('campaigns', queries.count(userId));
        checkName(body.name, userId);
        const record: CampaignRecord = {
          name: body.name,
          name_folded: caseFold(body.name),
          slug: body.slug ? readSlug(body.slug) : freeSlug((slug) => queries.findBySlug(slug) !== undefined),
          public: body.public ? 1 : 0,
          domain_id: body.domain ? references.domainOf(body.domain, userId) : null,
        };
        return queries.insert(userId, record, now());
      });
      changes.publish({ accountId: userId, resource: 'campaigns', ids: [id] });
      return get(id, account);
    },

    update(id: number, account: Account, body: CampaignChange): CampaignRow {
      const userId = account.user.id;
      transactions.atomically(() => {
        const row = get(id, account);
        const name = body.name ?? row.name;
        if (name !== row.name) checkName(name, userId, id);
        queries.update(id, {
          name,
          name_folded: caseFold(name),
          slug: body.slug === undefined ? row.slug : body.slug ? readSlug(body.slug, id) : null,
          public: body.public === undefined ? row.public : body.public ? 1 : 0,
          domain_id:
            body.domain === undefined
              ? row.domain_id
              : body.domain
                ? references.domainOf(body.domain, userId)
                : null,
        });
      });
      changes.publish({ accountId: userId, resource: 'campaigns', ids: [id] });
      return get(id, account);
    },

    /** Moves links to the front, in this order; the others keep theirs. Throws 400 for links outside the campaign. */
    async order(id: number, account: Account, wanted: readonly number[]): Promise<void> {
      get(id, account);
      const found = await lists.memberLists(id);
      const named = new Set(wanted);
      const members = new Set<number>();
      const others: number[] = [];
      await inSlices(() => {
        const ids = found.shift();
        for (const linkId of ids === undefined ? [] : (JSON.parse(ids) as number[])) {
          members.add(linkId);
          if (!named.has(linkId)) others.push(linkId);
        }
        return found.length > 0;
      });
      if (named.size < wanted.length || wanted.some((linkId) => !members.has(linkId))) {
        throw rejected('unknown_link', 'links', 'Send ids of links in the campaign, each one once.');
      }
      // An outdated version is rejected here, before anything is written.
      transactions.atomically(() => queries.countEdit(id));
      const ordered = [...wanted, ...others];
      // The latest one writes all places, so that of two at a time none is left half.
      const turn = Symbol();
      ordering.set(id, turn);
      let done = 0;
      try {
        await inSlices(() => {
          if (ordering.get(id) !== turn) return false;
          for (const linkId of ordered.slice(done, done + partSize)) {
            done += 1;
            queries.setPosition(id, linkId, done);
          }
          return done < ordered.length;
        });
      } finally {
        if (ordering.get(id) === turn) ordering.delete(id);
      }
      changes.publish({ accountId: account.user.id, resource: 'campaigns', ids: [id] });
    },

    /** Adds a link to a campaign. Idempotent. Throws 404 for records of other accounts. */
    async assign(id: number, linkId: number, account: Account, weight: number | undefined): Promise<void> {
      get(id, account);
      const isMember = links.get(linkId, account).campaign_id === id;
      if (!isMember) await links.update(linkId, account, { campaign: id });
      if (weight !== undefined) queries.setWeight(linkId, weight);
      changes.publish({ accountId: account.user.id, resource: 'campaigns', ids: [id] });
    },

    async unassign(id: number, linkId: number, account: Account): Promise<void> {
      get(id, account);
      if (links.get(linkId, account).campaign_id !== id) return;
      await links.update(linkId, account, { campaign: null });
      changes.publish({ accountId: account.user.id, resource: 'campaigns', ids: [id] });
    },
  };
}

export type CampaignService = ReturnType<typeof campaignService>;
