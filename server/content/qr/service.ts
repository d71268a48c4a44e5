import type { NewQr, QrChange } from '../../contract/qr.ts';
import { checkCeiling } from '../../identity/plans/ceilings.ts';
import type { StorageQuota } from '../../identity/plans/storage-quota.ts';
import { accountParty, type FairQueue } from '../../platform/concurrency/fair-queue.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { type FieldProblem, rejected, rejectedFields } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Account, Caller } from '../../platform/http/caller.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import { grants, readScopes } from '../../platform/http/scopes.ts';
import type { Trash } from '../../platform/trash/service.ts';
import type { ChannelQueries } from '../channels/queries.ts';
import type { FreeAlias } from '../links/aliases.ts';
import { aliasTaken } from '../links/history.ts';
import type { LinkQueries } from '../links/queries.ts';
import type { LinkReferences } from '../links/references.ts';
import type { LinkService } from '../links/service.ts';
import { applyQrChange, emptyQr, type LinkTarget } from './changes.ts';
import type { Decoder } from './decoder.ts';
import { captionLetters } from './design.ts';
import { type DesignParts, tooLong } from './drawing/design.ts';
import type { Logos } from './logos.ts';
import type { Painter, Sketch } from './painter.ts';
import type { ListedQr, QrFilter, QrLists, QrQueries, QrRecord, QrRow } from './queries.ts';
import { readabilityOf, unexplained } from './readability.ts';
import { encodedText, styleOf } from './record.ts';

interface Options {
  queries: QrQueries;
  lists: QrLists;
  links: Pick<LinkService, 'findByShortUrl'>;
  findLink: LinkQueries['find'];
  channels: Pick<ChannelQueries, 'placesOf' | 'restoreMembership'>;
  references: Pick<
    LinkReferences,
    'domainOf' | 'domainIfThere' | 'isBareDomain' | 'readAddress' | 'readDestination' | 'sees'
  >;
  trash: Trash;
  logos: Logos;
  quota: Pick<StorageQuota, 'within'>;
  decoder: Pick<Decoder, 'decode' | 'canRead'>;
  painter: Pick<Painter, 'sketch' | 'closerPrint' | 'paint'>;
  queue: FairQueue;
  /** How a logo that was sent comes back over the wire: sending that again changes nothing. */
  presentLogo: (row: Pick<QrRow, 'logo' | 'logo_image'>) => string | null;
  freeAlias: FreeAlias;
  baseUrl: () => string;
  now: () => number;
  transactions: Transactions;
  changes: Pick<Changes, 'publish'>;
}

/** What a code looks like, and how it scans. */
export interface Preview extends Pick<Sketch, 'level' | 'size'> {
  parts: DesignParts;
  /** Why no decoder reads it. */
  problem: FieldProblem | undefined;
  /** Why some scanners may not read it. */
  warnings: FieldProblem[];
}

/** A code that was stored, with what makes it hard to read. */
export interface SavedQr {
  row: QrRow;
  warnings: FieldProblem[];
}

/** A code in the trash. */
interface TrashedQr {
  /** The logo's picture as base64. */
  row: Omit<QrRow, 'logo_image'> & { logo_image: string | null };
  /** Ids of the channels that it was in. */
  channels: number[];
}

const dayMs = 86_400_000;
/** Width of a preview; as a vector it is shown at any size. */
const previewWidth = 320;
/** As long as a random alias, so that a preview has as many modules as the code will have. */
const previewAlias = 'pReViw';

/** QR codes: their content, their drawing, and that they scan (decision 0017). */
export function qrService(options: Options) {
  const {
    queries,
    links,
    channels,
    references,
    logos,
    quota,
    decoder,
    painter,
    queue,
    trash,
    baseUrl,
    now,
    changes,
  } = options;
  const { atomically } = options.transactions;

  const { get, remove, restore } = trash.removable<QrRow, TrashedQr>({
    resource: 'qr',
    label: 'QR code',
    affects: ['channels'],
    find: queries.find,
    contentOf: (row) => ({
      row: { ...row, logo_image: row.logo_image?.toString('base64') ?? null },
      channels: channels.placesOf('qr', row.id),
    }),
    remove: (id, userId) => void queries.remove(id, userId),
    reinsert({ row, channels: places }, { user }) {
      checkCeiling('qrCodes', queries.count(user.id));
      if (queries.isTaken(row.alias, 0)) throw aliasTaken();
      const isLinkThere = row.link_id !== null && options.findLink(row.link_id, user.id) !== undefined;
      queries.reinsert({
        ...row,
        link_id: isLinkThere ? row.link_id : null,
        domain_id: references.domainIfThere(row.host, user.id),
        logo_image: row.logo_image === null ? null : Buffer.from(row.logo_image, 'base64'),
      });
      channels.restoreMembership('qr', row, places);
    },
  });

  /**
   * A URL of ours must be one of the account's links or domains. `kept` is the current link, which the member may not
   * be able to see.
   */
  function linkOf(
    data: { url: string } | { link: number },
    account: Account,
    kept: number | null,
  ): LinkTarget {
    const maySee = (id: number) => id === kept || references.sees(account, 'links', id);
    if ('url' in data) {
      const url = data.url.trim();
      const own = /^https?:\/\//i.test(url) ? links.findByShortUrl(account, url) : undefined;
      if (own && maySee(own.id)) return { content: {}, link_id: own.id };
      const read = references.isBareDomain(url, account.user.id)
        ? references.readAddress
        : references.readDestination;
      return { content: { url: read(url, 'data') }, link_id: null };
    }
    const row = maySee(data.link) ? ownLink(data.link, account) : undefined;
    // In a body an unknown id is the body's fault (decision 0004).
    if (!row) throw unknownLink();
    return { content: {}, link_id: row.id };
  }

  /** Drawing takes a while. Throws 400 if the link or the domain that a change chose was deleted meanwhile. */
  function checkStillThere(record: QrRecord, before: QrRecord, account: Account): void {
    if (record.domain_id !== null && record.domain_id !== before.domain_id)
      references.domainOf(record.domain_id, account.user.id);
    if (record.link_id !== null && record.link_id !== before.link_id && !ownLink(record.link_id, account))
      throw unknownLink();
  }

  /** A link of the account; undefined when there is none, or it is in the trash. */
  function ownLink(id: number, account: Account) {
    const row = options.findLink(id, account.user.id);
    return row?.trashed_at === null ? row : undefined;
  }

  /** The name source of a new code; a title requires permission to read links, an alias is in the code itself. */
  function linkNameOf(id: number, caller: Caller): string | undefined {
    const row = ownLink(id, caller);
    const readsLinks = grants(readScopes(caller.key.scopes), 'links:read');
    return row && ((readsLinks ? row.title : null) ?? row.alias);
  }

  async function edited(change: QrChange, record: QrRecord, account: Caller): Promise<QrRecord> {
    const isSameLogo =
      change.logo === undefined || (change.logo && change.logo === options.presentLogo(record));
    const { logo, ...others } = change;
    const sent = isSameLogo ? others : change;
    const next = applyQrChange(sent, record, {
      account,
      linkOf: (data, caller) => linkOf(data, caller, record.link_id),
      linkNameOf: (linkId) => linkNameOf(linkId, account),
      domainOf: references.domainOf,
    });
    if (isSameLogo) return next;
    return { ...next, ...(logo ? await logos.get(account.user.id, logo) : { logo: null, logo_image: null }) };
  }

  /**
   * Draws a record and finds out whether it scans. Throws 400 for what cannot be drawn at all, 503 where too many of
   * the account's codes wait for being drawn.
   */
  function look(record: QrRecord, account: Account): Promise<Preview> {
    return queue.run(accountParty(account.user.id), () => lookNow(record, account));
  }

  async function lookNow(record: QrRecord, account: Account): Promise<Preview> {
    const link = record.link_id === null ? undefined : ownLink(record.link_id, account);
    const text = encodedText(
      {
        ...record,
        alias: record.alias || previewAlias,
        host: record.domain_id === null ? null : (queries.hostOf(record.domain_id) ?? null),
        link_alias: link?.alias ?? null,
        link_host: link?.host ?? null,
      },
      baseUrl(),
    );
    const style = styleOf(record);
    const logo = record.logo_image ?? undefined;
    const parts: DesignParts = { text, style, logo, letters: await captionLetters(style) };
    const sketch = await painter.sketch(parts);
    if (!sketch) throw tooLong(style);
    const { print, warnings: reasons, level, size } = sketch;
    const views = { print, closerPrint: () => painter.closerPrint(parts) };
    const readability = await readabilityOf(views, text, decoder);
    if (readability !== 'well' && reasons.length === 0) reasons.push(unexplained(size));
    if (readability === 'never') return { parts, level, size, problem: reasons[0], warnings: [] };
    return { parts, level, size, problem: undefined, warnings: reasons };
  }

  /** What makes a code hard to read. Throws 400 with the reason when no decoder reads it. */
  async function check(record: QrRecord, account: Account): Promise<FieldProblem[]> {
    const { problem, warnings } = await look(record, account);
    if (problem) throw rejectedFields([problem]);
    return warnings;
  }

  return {
    get,
    remove,
    /** Throws 404 when there is nothing to restore, 400 when its alias is taken by now. */
    restore,

    list: (account: Account, filter: QrFilter, page: ListPage): Promise<Page<ListedQr>> =>
      options.lists.list(account.user.id, filter, page),

    /** Scans of each of the last 30 days in UTC that had any. */
    recentDays: ({ id }: QrRow) => queries.daysAfter(id, Math.floor(now() / dayMs) - 30),

    async add(account: Caller, body: NewQr): Promise<SavedQr> {
      checkCeiling('qrCodes', queries.count(account.user.id));
      const record = await edited(body, emptyQr, account);
      const warnings = await check(record, account);
      const id = atomically(() => {
        checkCeiling('qrCodes', queries.count(account.user.id));
        const alias = record.alias || options.freeAlias((free) => queries.isTaken(free, 0));
        if (queries.isTaken(alias, 0)) throw aliasTaken();
        checkStillThere(record, emptyQr, account);
        return quota.within(account, 'logo', () =>
          queries.insert(account.user.id, { ...record, alias }, now()),
        );
      });
      changes.publish({ accountId: account.user.id, resource: 'qr', ids: [id] });
      return { row: get(id, account), warnings };
    },

    async update(id: number, account: Caller, body: QrChange): Promise<SavedQr> {
      let warnings: FieldProblem[];
      for (;;) {
        const row = get(id, account);
        const record = await edited(body, row, account);
        warnings = await check(record, account);
        const stored = atomically(() => {
          const { domain_id, link_id } = get(id, account);
          if (domain_id !== row.domain_id || link_id !== row.link_id) return false;
          if (queries.isTaken(record.alias, id)) throw aliasTaken();
          checkStillThere(record, row, account);
          return quota.within(account, 'logo', () => queries.update(id, record, row.revision));
        });
        // Drawing took a while: if somebody else was quicker, the change is applied to their version.
        if (stored) break;
      }
      changes.publish({ accountId: account.user.id, resource: 'qr', ids: [id] });
      return { row: get(id, account), warnings };
    },

    /** Previews an update or a new code. Nothing is stored. */
    async preview(
      account: Caller,
      body: QrChange,
      id: number | undefined,
    ): Promise<Preview & { svg: string }> {
      const row = id === undefined ? emptyQr : queries.find(id, account.user.id);
      // In a body an unknown id is the body's fault (decision 0004).
      if (!row) throw rejected('unknown_qr', 'id', 'This is not one of your QR codes.');
      const seen = await look(await edited(body, row, account), account);
      const extent = { width: previewWidth, unit: 'px' } as const;
      const svg = await queue.run(accountParty(account.user.id), () =>
        painter.paint({ parts: seen.parts, format: 'svg', extent }),
      );
      return { ...seen, svg: Buffer.from(svg).toString() };
    },
  };
}

export type QrService = ReturnType<typeof qrService>;

const unknownLink = () => rejected('unknown_link', 'data.link', 'This is not one of your links.');
