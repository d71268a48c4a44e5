import type { z } from 'zod';
import type { ReplyOf } from '../../contract/endpoint.ts';
import type { LinkFraming } from '../../contract/framing.ts';
import { importLinks } from '../../contract/import.ts';
import {
  addLink,
  deleteLink,
  exportLinks,
  getLink,
  type ifExists,
  type LinkDetails,
  linkHistory,
  type linkMetrics,
  listLinks,
  type NewLink,
  undo,
  updateLink,
} from '../../contract/links.ts';
import { powers } from '../../contract/roles.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import { notFound, rejected } from '../../platform/errors.ts';
import type { Account, Caller } from '../../platform/http/caller.ts';
import { roleTooLow } from '../../platform/http/member-check.ts';
import { listedMember, offsetOf, pageReply } from '../../platform/http/pagination.ts';
import { checkGrants, grants, readScopes } from '../../platform/http/scopes.ts';
import { sendFile, sendInDocument } from '../../platform/http/sent-file.ts';
import { type Call, type Route, route } from '../../platform/http/serve.ts';
import { presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';
import type { Idempotency } from '../../platform/idempotency/service.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import type { FramingService } from '../framing/service.ts';
import type { MovingService } from '../moving/service.ts';
import type { BulkService } from './bulk.ts';
import type { ChangedLinkRow, ChangeLists, ChangeQueries } from './change-queries.ts';
import { checkMayEdit, type existingLinks } from './existing.ts';
import type { LinkExports, ShownNames } from './export.ts';
import type { ImportService } from './import.ts';
import { type PresentContext, presentDetails, presentLink, presentTraits } from './presenter.ts';
import type { LinkRow } from './queries.ts';
import type { LinkReferences } from './references.ts';
import type { LinkService } from './service.ts';

interface Options {
  links: LinkService;
  bulk: Pick<BulkService, 'isUnderWay'>;
  imports: ImportService;
  exports: LinkExports;
  changes: ChangeQueries;
  changeLists: ChangeLists;
  /** Undoes a move between accounts; undefined for other changes. */
  undoMove: MovingService['undo'];
  references: LinkReferences;
  /** The link that a new one would double. */
  existing: ReturnType<typeof existingLinks>;
  replies: Pick<Idempotency, 'once'>;
  framing: Pick<FramingService, 'checkSaved' | 'ofLink'>;
  /** Clicks of a link at a glance, from the statistics. */
  metrics: (linkId: number) => Promise<z.output<typeof linkMetrics>>;
  /** Makes the totals of links include the most recent clicks. */
  countRecent: () => Promise<void>;
  baseUrl: () => string;
  now: () => number;
}

/** The links endpoints (decision 0011). */
export function linkRoutes(options: Options): Route[] {
  const { links, bulk, imports, exports, changes, changeLists, references, framing, metrics } = options;
  const { existing, replies, undoMove, countRecent, baseUrl, now } = options;
  const contextOf = (account: Account): PresentContext => ({
    timezone: account.user.timezone,
    baseUrl: baseUrl(),
    now: now(),
  });

  /** A contributor undoes what they changed themselves, on links that they created. Throws 404 or 403. */
  function checkOwnChange(id: number, { user, person, ownOnly }: Caller): void {
    const change = changes.find(id, user.id);
    const isOwn = change !== undefined && changes.isOwn(id, person.user.id);
    if (!change || (ownOnly && !isOwn)) throw notFound('Change');
    if (!isOwn) throw roleTooLow();
  }

  /** Creates a link, or handles the existing one according to `ifexists`. `written` is called in the transaction. */
  async function addOrFind(
    caller: Caller,
    body: NewLink,
    ifexists: z.output<typeof ifExists> = 'create',
    written: (row: LinkRow, isThere: boolean) => void,
  ): Promise<{ row: LinkRow; isThere: boolean }> {
    const find = () => (ifexists === 'create' ? undefined : existing(caller, body));
    let found = find();
    if (!found) {
      let isNew = false;
      const row = await links.add(caller, body, {
        existing: find,
        written(made) {
          isNew = true;
          written(made, false);
        },
      });
      if (isNew) return { row, isThere: false };
      found = row;
    }
    if (ifexists === 'return') return { row: found, isThere: true };
    checkMayEdit(found, caller);
    // Found by its destination, which stays exactly as it is.
    const { url, ...others } = body;
    const change = body.custom ? { url, ...others } : others;
    return { row: await links.update(found.id, caller, change, (row) => written(row, true)), isThere: true };
  }

  /** A link as its GET shows it. */
  function shown({ caller, id, editInfoOf }: Pick<Call<typeof getLink>, 'caller' | 'id' | 'editInfoOf'>) {
    const row = links.get(id, caller);
    return {
      ...presentDetails(row, contextOf(caller)),
      ...editInfoOf(row),
      framing: presentFraming(framing.ofLink(row), caller.user.timezone),
    };
  }

  return [
    route(listLinks, async ({ caller, query, editInfoOf, sees }) => {
      await countRecent();
      const context = contextOf(caller);
      if (query.short !== undefined) {
        const named = links.listByShort(caller, query.short).filter(({ id }) => sees('links', id));
        const rows = named.slice(0, query.limit);
        const page = { rows, total: rows.length };
        return pageReply('urls', page, { limit: query.limit, page: 1 }, (row) => ({
          ...presentLink(row, context),
          ...editInfoOf(row),
        }));
      }
      const { limit, page, order, domain, traits, ...filter } = query;
      const member = listedMember(caller, filter.member) ?? undefined;
      const domainId = domain === undefined ? undefined : (references.domainOf(domain, caller.user.id) ?? 0);
      const found = await links.list(caller, { ...filter, domain: domainId, member }, order, {
        limit,
        offset: offsetOf(query),
      });
      return pageReply('urls', found, { limit, page }, (row) => ({
        ...presentLink(row, context),
        ...(traits === '1' && { traits: presentTraits(row, context) }),
        ...editInfoOf(row),
      }));
    }),
    route(exportLinks, ({ caller, query, context, checkStillAllowed }) => {
      const { format, inline, domain, ...filter } = query;
      const domainId = domain === undefined ? undefined : (references.domainOf(domain, caller.user.id) ?? 0);
      const wanted = { ...filter, domain: domainId };
      const file = exports.open(caller, wanted, format, shownNames(caller), checkStillAllowed);
      if (inline === '1') sendInDocument(context, file);
      else sendFile(context, file);
      return undefined;
    }),
    route(getLink, async ({ caller, id, editInfoOf }) => {
      await countRecent();
      return { id, details: shown({ caller, id, editInfoOf }), data: await metrics(id) };
    }),
    route(addLink, (call) =>
      replies.once(call, async (keep: (reply: ReplyOf<typeof addLink>) => void) => {
        const { caller, body } = call;
        const { ifexists, ...asked } = body;
        const replyOf = (row: LinkRow, isThere: boolean) => ({
          id: row.id,
          shorturl: shortUrl(row, baseUrl()),
          ...(ifexists !== undefined && { existing: isThere }),
        });
        const { row, isThere } = await addOrFind(caller, asked, ifexists, (made, found) =>
          keep(replyOf(made, found)),
        );
        // It is saved by now; the response includes whether its destination allows framing.
        if (!isThere || ifexists === 'update') await framing.checkSaved(row);
        return replyOf(row, isThere);
      }),
    ),
    route(
      updateLink,
      async ({ caller, id, body }) => {
        const row = await links.update(id, caller, body);
        await framing.checkSaved(row);
        const shorturl = shortUrl(row, baseUrl());
        return { id: row.id, short: shorturl, shorturl };
      },
      shown,
    ),
    route(deleteLink, ({ caller, id, query }) => {
      const change = links.remove(id, caller, query.force === '1');
      return change === undefined
        ? { message: 'The link was permanently deleted.' }
        : { message: 'The link was moved to the trash.', undo: change };
    }),
    route(undo, async (call) => {
      const { caller, id } = call;
      const back = await undoMove(id, call, actorOf(call));
      if (back) return { message: undone(back.count, 'record') };
      const check = () => {
        call.checkStillAllowed();
        if (powers[call.caller.role].edit !== true) checkOwnChange(id, call.caller);
      };
      check();
      if (changes.find(id, caller.user.id) && bulk.isUnderWay(id)) {
        const message = 'This is still running. Wait until it finishes, or cancel it first.';
        throw rejected('still_running', undefined, message);
      }
      const { count, newer } = await links.undo(id, caller, check);
      const done = undone(count, 'link');
      return { message: newer === 0 ? done : `${done} What was changed again since stays as it is.` };
    }),
    route(linkHistory, async ({ caller, id, query, editInfoOf }) => {
      const row = links.get(id, caller);
      const page = await changeLists.ofLink(row.id, { limit: query.limit, offset: offsetOf(query) });
      return pageReply('changes', page, query, (change) => ({
        ...presentChange(change, row, contextOf(caller)),
        // A change has a creator and no version.
        created_by: editInfoOf({ version: 1, created_by: change.created_by }).created_by,
      }));
    }),
    route(importLinks, async ({ caller, body, checkStillAllowed }) => {
      // A tag that is not a channel yet becomes one.
      if (body.rows.some(({ tags = [] }) => tags.length > 0))
        checkGrants(caller.key.scopes, 'channels:write');
      if (body.rows.some(({ campaign }) => campaign?.trim()))
        checkGrants(caller.key.scopes, 'campaigns:write');
      return { data: await imports.run(caller, body, checkStillAllowed) };
    }),
  ];
}

/** The other resources that a key may read. */
function shownNames({ key }: Caller): ShownNames {
  const scopes = readScopes(key.scopes);
  return { campaigns: grants(scopes, 'campaigns:read'), channels: grants(scopes, 'channels:read') };
}

function undone(count: number, resource: string): string {
  return count === 1 ? 'The change was undone.' : `The change was undone on ${count} ${resource}s.`;
}

function presentFraming(known: ReturnType<FramingService['ofLink']>, timezone: string): LinkFraming | null {
  return known && { ...known.framing, date: presentOptional(known.checkedAt, timezone) };
}

/** A change as API fields, before and after; of a password only whether there is one. */
function presentChange(change: ChangedLinkRow, row: LinkRow, context: PresentContext) {
  const before = JSON.parse(change.before) as Record<string, unknown>;
  const after = JSON.parse(change.after) as Record<string, unknown>;
  return {
    id: change.id,
    action: change.action,
    before: presentFields(before, row, context),
    after: presentFields(after, row, context),
    undone: change.undone_at !== null,
    date: presentTimestamp(change.at, context.timezone),
  };
}

const fieldNames: Record<string, (keyof LinkDetails)[]> = {
  alias: ['alias'],
  url: ['longurl'],
  title: ['title'],
  description: ['description'],
  note: ['note'],
  type: ['type'],
  password_hash: ['protected'],
  status: ['status'],
  expires_at: ['expiry'],
  not_before_at: ['notbefore'],
  click_limit: ['clicklimit'],
  expiration_url: ['expirationredirect'],
  redirect_status: ['redirect'],
  forward_query: ['forwardquery'],
  archived: ['archived'],
  locked: ['locked'],
  rules: ['rules'],
  abtesting: ['abtesting'],
  parameters: ['parameters'],
  deeplink: ['deeplink'],
  meta_title: ['metatitle'],
  meta_description: ['metadescription'],
  meta_image: ['metaimage'],
  pixels: ['pixels'],
  campaign_id: ['campaign'],
  archive_at: ['archiveon'],
  delete_at: ['deleteon'],
  test_until: ['testuntil'],
  test_winner: ['testwinner'],
  channels: ['channel'],
  trashed_at: ['state'],
};

function presentFields(fields: Record<string, unknown>, row: LinkRow, context: PresentContext) {
  const { channels, ...record } = fields;
  const then = {
    ...row,
    ...record,
    ...(channels !== undefined && { channels: JSON.stringify(channels) }),
  } as LinkRow;
  const details = presentDetails(then, context);
  const names = Object.keys(fields).flatMap((name) => fieldNames[name] ?? []);
  return Object.fromEntries(names.map((name) => [name, details[name]]));
}
