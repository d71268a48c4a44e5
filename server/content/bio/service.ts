import type { BioChange, BioPreview, NewBio } from '../../contract/bio.ts';
import { featureCheck } from '../../identity/plans/feature-check.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { notFound } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import type { Trash } from '../../platform/trash/service.ts';
import type { AliasQueries } from '../../visits/redirects/alias-queries.ts';
import type { StoredBlock } from '../../visits/redirects/pages/bio-blocks.ts';
import type { ChannelQueries } from '../channels/queries.ts';
import type { FreeAlias } from '../links/aliases.ts';
import { aliasTaken } from '../links/history.ts';
import type { LinkReferences } from '../links/references.ts';
import type { FetchedPicture, PictureService } from '../pictures/service.ts';
import { numberBlocks, readBlocks } from './blocks.ts';
import { applyBioChange, emptyRecord } from './fields.ts';
import type { BioPreviews } from './previews.ts';
import type {
  BioLists,
  BioQueries,
  BioRecord,
  BioRow,
  DomainRootRow,
  ListedBio,
  MessageRow,
} from './queries.ts';

interface Options {
  queries: BioQueries;
  lists: BioLists;
  aliases: AliasQueries;
  channels: Pick<ChannelQueries, 'placesOf' | 'restoreMembership'>;
  references: Pick<LinkReferences, 'domainOf' | 'domainIfThere' | 'readAddress' | 'ownAddress' | 'sees'>;
  pictures: PictureService;
  trash: Trash;
  previews: BioPreviews;
  freeAlias: FreeAlias;
  now: () => number;
  transactions: Transactions;
  changes: Pick<Changes, 'publish'>;
}

/** A page in the trash. */
interface TrashedBio {
  row: BioRow;
  /** Ids of the channels that it was in. */
  channels: number[];
  /** Domains whose root showed it; the key is as it was first stored. */
  fronts: DomainRootRow[];
  pictures: string[];
}

/** Bio pages: several links and more behind one short address (decision 0018). */
export function bioService(options: Options) {
  const { queries, aliases, channels, references, pictures, trash, now, changes } = options;
  const { atomically } = options.transactions;
  const checkPlan = featureCheck('bio', 'bio page', 'bioPages', queries.count);

  const { get, remove, restore } = trash.removable<BioRow, TrashedBio>({
    resource: 'bio',
    label: 'Bio page',
    // A page is also the root of domains and in channels.
    affects: ['domains', 'channels'],
    find: queries.find,
    contentOf: (row) => ({
      row,
      channels: channels.placesOf('bio', row.id),
      fronts: queries.listDomainRoots(row.id),
      pictures: picturesOf(row),
    }),
    remove(id, userId) {
      queries.remove(id, userId);
      pictures.sweep(userId);
    },
    reinsert({ row, fronts, channels: places }, { user }) {
      const domain_id = references.domainIfThere(row.host, user.id);
      if (!aliases.claim(domain_id, row.alias, 'bio', row.id)) throw aliasTaken('alias');
      queries.reinsert({ ...row, domain_id, blocks: whatIsLeft(row.blocks, user.id) }, fronts);
      channels.restoreMembership('bio', row, places);
      pictures.sweep(user.id);
    },
  });

  function apply(change: BioChange, record: BioRecord, account: Account): BioRecord {
    const { domainOf, readAddress } = references;
    return applyBioChange(change, record, { account, domainOf, readAddress });
  }

  function blockContext(
    account: Account,
    shownBefore: string,
    keepPicture: (url: string, field: string) => Promise<void>,
  ) {
    const { user } = account;
    const blocks = JSON.parse(shownBefore) as StoredBlock[];
    const shown = blocks.flatMap((block) => (block.type === 'file' ? [block.file] : []));
    const led = blocks.flatMap((block) => (block.type === 'link' && block.link ? [block.link] : []));
    return {
      readAddress: references.readAddress,
      ownLinkAt(address: string): number | undefined {
        const own = references.ownAddress(address, user.id);
        const link = own && queries.ownLink(own.domainId, own.alias, user.id);
        if (link === undefined) return undefined;
        return led.includes(link) || references.sees(account, 'links', link) ? link : undefined;
      },
      ownsFile: (id: number) =>
        queries.ownsFile(id, user.id) && (shown.includes(id) || references.sees(account, 'files', id)),
      keepPicture,
    };
  }

  /** The parts that take a while: blocks and pictures. Undefined blocks were not sent. */
  async function prepare(change: BioChange, record: BioRecord, account: Account) {
    const checked = apply(change, record, account);
    const fetched: FetchedPicture[] = [];
    const fetchPicture = async (url: string, field: string) =>
      void fetched.push(await pictures.fetch(account, url, field));
    const blocks =
      change.blocks && (await readBlocks(change.blocks, blockContext(account, record.blocks, fetchPicture)));
    if (change.avatar && checked.avatar !== null) await fetchPicture(checked.avatar, 'avatar');
    return { blocks, fetched };
  }

  function withBlocks(record: BioRecord, blocks: StoredBlock[] | undefined): BioRecord {
    if (!blocks) return record;
    const numbered = numberBlocks(blocks, record.next_block);
    return { ...record, blocks: JSON.stringify(numbered.blocks), next_block: numbered.next };
  }

  /** Blocks without those whose file was deleted meanwhile. */
  function whatIsLeft(blocks: string, userId: number): string {
    const kept = JSON.parse(blocks) as StoredBlock[];
    return JSON.stringify(
      kept.filter((block) => block.type !== 'file' || queries.ownsFile(block.file, userId)),
    );
  }

  return {
    get,

    list: (account: Account, q: string | undefined, page: ListPage): Promise<Page<ListedBio>> =>
      options.lists.list(account.user.id, q, page),

    async add(account: Account, body: NewBio): Promise<BioRow> {
      const userId = account.user.id;
      const checkRoom = () => checkPlan(account, true);
      checkRoom();
      const start: BioRecord = { ...emptyRecord, name: body.name };
      const wanted = apply(body, start, account);
      if (wanted.alias !== '' && aliases.holderOf(wanted.domain_id, wanted.alias)) throw aliasTaken('alias');
      const { blocks, fetched } = await prepare(body, start, account);
      const id = atomically(() => {
        // Others may have come first while pictures were fetched.
        checkRoom();
        pictures.store(account, fetched);
        const record = apply(body, start, account);
        const { domain_id } = record;
        const alias =
          record.alias || options.freeAlias((free) => aliases.holderOf(domain_id, free) !== undefined);
        const made = queries.insert(userId, withBlocks({ ...record, alias }, blocks), now());
        if (!aliases.claim(record.domain_id, alias, 'bio', made)) throw aliasTaken('alias');
        return made;
      });
      changes.publish({ accountId: userId, resource: 'bio', ids: [id] });
      return get(id, account);
    },

    async update(id: number, account: Account, change: BioChange): Promise<BioRow> {
      const userId = account.user.id;
      get(id, account);
      checkPlan(account);
      const { blocks, fetched } = await prepare(change, get(id, account), account);
      atomically(() => {
        // A picture may have taken a while: what else was changed meanwhile stays changed.
        const current = get(id, account);
        pictures.store(account, fetched);
        const record = withBlocks(apply(change, current, account), blocks);
        queries.update(id, pick(record));
        pictures.sweep(userId);
        const held = aliases.move(record.domain_id, record.alias, 'bio', id);
        const moved = record.alias !== current.alias || record.domain_id !== current.domain_id;
        if (!held && moved) throw aliasTaken('alias');
      });
      changes.publish({ accountId: userId, resource: 'bio', ids: [id] });
      return get(id, account);
    },

    /** Its alias becomes free, and domains and channels no longer refer to it. */
    remove,

    /**
     * Takes a deletion back. Throws 404 when there is nothing to restore, 400 when its alias is taken by now, 403
     * `plan_required` when the plan has no room.
     */
    restore(id: number, account: Account): Promise<BioRow> {
      checkPlan(account, true);
      return restore(id, account);
    },

    /** A draft's page as one HTML document in one of these languages; invalid parts are left out. */
    async preview(account: Account, draft: BioPreview, languages: readonly string[]): Promise<string> {
      checkPlan(account);
      const keep = (url: string, field: string) => pictures.keepForDraft(account, url, field);
      const { id } = draft;
      const page =
        id !== undefined && references.sees(account, 'bio', id) && queries.find(id, account.user.id);
      const shown = page ? page.blocks : '[]';
      return options.previews.of(account.user.id, draft, blockContext(account, shown, keep), languages);
    },

    listMessages: async (
      id: number,
      account: Account,
      page: { limit: number; offset: number },
    ): Promise<Page<MessageRow>> => options.lists.listMessages(get(id, account).id, page),

    removeMessage(bioId: number, id: number, account: Account): void {
      get(bioId, account);
      if (!queries.removeMessage(id, bioId)) throw notFound('Message');
      changes.publish({ accountId: account.user.id, resource: 'bio', ids: [bioId] });
    },
  };
}

export type BioService = ReturnType<typeof bioService>;

function pick(record: BioRecord): BioRecord {
  const { domain_id, alias, name, title, description, avatar, theme } = record;
  const { colors, shape, font, blocks, next_block } = record;
  return {
    domain_id,
    alias,
    name,
    title,
    description,
    avatar,
    theme,
    colors,
    shape,
    font,
    blocks,
    next_block,
  };
}

/** Addresses of the pictures that a page shows. */
function picturesOf({ avatar, blocks }: BioRow): string[] {
  const ofBlocks = (JSON.parse(blocks) as (StoredBlock & { image?: string | null })[]).map(
    ({ image }) => image,
  );
  return [avatar, ...ofBlocks].filter((url) => typeof url === 'string');
}
