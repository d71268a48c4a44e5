import { channelNameOf, channelNameProblem } from '../../contract/channels.ts';
import { channelColors } from '../../contract/colors.ts';
import type { BodyOf } from '../../contract/endpoint.ts';
import type { ImportedRow, ImportRow, importLinks } from '../../contract/import.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { Refusal, unauthorized, unavailable } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { Slices, Step } from '../../platform/jobs/slices.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import type { AliasQueries } from '../../visits/redirects/alias-queries.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import type { CampaignQueries } from '../campaigns/queries.ts';
import { isBeyondMost, tooManyChannels } from '../channels/most.ts';
import type { ChannelQueries } from '../channels/queries.ts';
import type { FreeAlias } from './aliases.ts';
import { type CleanRow, rowCleaner } from './clean-row.ts';
import { applyChange } from './fields.ts';
import type { LinkHistory } from './history.ts';
import type { ImportedRows } from './imported-rows.ts';
import { type MadeBefore, type MadeNames, madeNames } from './made-names.ts';
import { plannedRows } from './planned-rows.ts';
import { emptyRecord, type LinkQueries, type LinkRecord, type LinkRow, pickRecord } from './queries.ts';
import type { LinkReferences } from './references.ts';
import { defaultsOf, type LinkService } from './service.ts';

type Request = BodyOf<typeof importLinks>;

/** Neighbours in the list of channels can be told apart. */
const newColors = Object.values(channelColors);

interface Options {
  links: Pick<LinkService, 'insert' | 'checkRoom'>;
  queries: LinkQueries;
  imported: ImportedRows;
  aliases: AliasQueries;
  channels: ChannelQueries;
  campaigns: Pick<CampaignQueries, 'findByName' | 'findBySlug' | 'insert' | 'count'>;
  freeSlug: FreeAlias;
  references: LinkReferences;
  history: LinkHistory;
  baseUrl: () => string;
  now: () => number;
  transactions: Transactions;
  slices: Slices;
  /** An account by its id; undefined if it is deleted or disabled. */
  findAccount: (id: number) => Account | undefined;
  changes: Pick<Changes, 'publish'>;
}

/** What the rows of one request have in common. */
interface Run {
  account: Account;
  conflict: Request['conflict'];
  /** Channels created from tags, and campaigns. */
  made: MadeNames;
  /** Links that a dry run has planned and that are not there while a row is tried. */
  planned: number;
}

/**
 * Imports rows of another service. Each row has its own result; an invalid one does not affect the others. Importing
 * the same rows again creates no duplicates: they are recognized by their aliases and tokens.
 */
export function importService(options: Options) {
  const { links, queries, imported, aliases, channels, campaigns, references, history, baseUrl, now } =
    options;
  const { transactions, slices, changes } = options;
  const clean = rowCleaner({ references, now });

  function importRow(row: CleanRow, run: Run): ImportedRow {
    const { account, conflict } = run;
    const earlier = madeBefore(row, account);
    if (earlier) return outcomeOf('exists', earlier);
    const existing = row.alias === '' ? undefined : aliases.holderOf(row.domainId, row.alias);
    if (!existing) return create(row, 'create', run);
    const link = existing.kind === 'link' ? queries.find(existing.target_id, account.user.id) : undefined;
    const isSame = link !== undefined && link.url === row.url;
    if (isSame && (conflict !== 'replace' || link.locked === 1)) {
      assignTags(link.id, row.tags, run);
      return outcomeOf('exists', link);
    }
    if (conflict === 'rename') return create({ ...row, alias: '' }, 'rename', run);
    // It would not ask for a password, although the destination had one.
    if (conflict === 'replace' && row.isProtected && link?.password_hash === null) {
      const message = 'The destination had a password, and the existing link has none. Set one there first.';
      return { outcome: 'skip', code: 'password_needed', message };
    }
    if (conflict === 'replace' && link && link.locked === 0) return replace(link, row, run);
    return {
      outcome: 'skip',
      code: link?.locked ? 'locked' : 'alias_taken',
      message: `The alias "${row.alias}" is taken by another destination.`,
    };
  }

  /** The link that this row created before. If it was deleted since, it is created again. */
  function madeBefore({ token }: CleanRow, { user }: Account): LinkRow | undefined {
    const id = token === undefined ? undefined : imported.linkOf(user.id, token);
    const link = id === undefined ? undefined : queries.find(id, user.id);
    return link?.trashed_at === null ? link : undefined;
  }

  function create(row: CleanRow, outcome: 'create' | 'rename', run: Run): ImportedRow {
    const { account } = run;
    const { url, alias, title, description, note, domainId, archiveAt, deleteAt } = row;
    links.checkRoom(account, run.planned);
    const { type } = defaultsOf(account);
    const days = { archive_at: archiveAt, delete_at: deleteAt };
    const texts = { url, alias, title, description, note };
    const empty = { ...emptyRecord, type, ...texts, domain_id: domainId, ...days };
    const record = withSettings(
      empty,
      row.isOver || row.isProtected ? { ...row, change: { ...row.change, archived: true } } : row,
      run,
    );
    const id = links.insert(account.user.id, record, row.createdAt);
    assignTags(id, row.tags, run);
    if (row.token !== undefined) imported.note(account.user.id, row.token, id);
    const notice = noticeOf(row, row.notice);
    return { ...outcomeOf(outcome, queries.find(id, account.user.id) as LinkRow), ...notice };
  }

  function replace(link: LinkRow, row: CleanRow, run: Run): ImportedRow {
    const { account } = run;
    const changed = {
      ...pickRecord(link),
      url: row.url,
      title: row.title ?? link.title,
      description: row.description ?? link.description,
      note: row.note ?? link.note,
      archive_at: row.archiveAt ?? link.archive_at,
      delete_at: row.deleteAt ?? link.delete_at,
    };
    const record = withSettings(changed, row, run, link);
    const isChange = history.isChange(link, record);
    if (isChange) {
      history.note(history.begin(account.user.id, 'import'), link, record);
      history.store(link, record);
    }
    assignTags(link.id, row.tags, run);
    if (!isChange) return outcomeOf('exists', link);
    if (row.token !== undefined) imported.note(account.user.id, row.token, link.id);
    return { ...outcomeOf('replace', link), ...row.noticeOfKept };
  }

  /** A record with the other settings of a row and its campaign. Throws as a change of the link would. */
  function withSettings(record: LinkRecord, row: CleanRow, run: Run, kept?: LinkRow): LinkRecord {
    const campaign = row.campaign === null ? undefined : campaignOf(row.campaign, run);
    const change = { ...row.change, ...(campaign !== undefined && { campaign }) };
    const { timezone } = row;
    const context = {
      account: { ...run.account, user: { ...run.account.user, timezone } },
      references: references.of(run.account, kept),
      record,
      now: now(),
    };
    return applyChange(change, context).record;
  }

  /** The id of a campaign by its name, created if missing. */
  function campaignOf(name: string, { account, made }: Run): number {
    const userId = account.user.id;
    const folded = caseFold(name);
    const known = campaigns.findByName(userId, folded);
    if (known !== undefined) return known;
    made.checkRoom('campaigns', folded, campaigns.count(userId));
    const slug = options.freeSlug((free) => campaigns.findBySlug(free) !== undefined);
    const record = { name, name_folded: folded, slug, public: 0, domain_id: null } as const;
    made.names.campaigns.set(folded, name);
    return campaigns.insert(userId, record, now());
  }

  /** Turns tags into channels, created if missing. Throws 400 `too_many` beyond the ceiling. */
  function assignTags(linkId: number, tags: readonly string[], { account, made }: Run): void {
    const userId = account.user.id;
    const before = channels.countOfLink(linkId);
    // Of two spellings the first is the name.
    const wanted = tags.map((tag) => nameFor(tag, userId)).filter((name) => name !== '');
    const names = new Map(wanted.toReversed().map((name) => [caseFold(name), name]));
    // Counted once: an account has thousands of them.
    let count: number | undefined;
    for (const [folded, name] of [...names].toReversed()) {
      let channel = channels.findByName(userId, folded);
      if (channel === undefined) {
        count ??= channels.count(userId);
        made.checkRoom('channels', folded, count);
        const color = newColors[count % newColors.length] ?? null;
        count += 1;
        const record = { name, description: null, color, starred: 0 } as const;
        channel = channels.insert(userId, record, folded, now());
        made.names.channels.set(folded, name);
      }
      channels.assignLink(channel, linkId);
    }
    if (isBeyondMost(channels.countOfLink(linkId), before)) throw tooManyChannels();
  }

  /** The channel name for a tag: an existing channel's name is used even if it would be invalid for a new one. */
  function nameFor(tag: string, userId: number): string {
    const isOdd = channelNameProblem(tag) && channels.findByName(userId, caseFold(tag)) === undefined;
    return isOdd ? channelNameOf(tag) : tag;
  }

  function outcomeOf(outcome: ImportedRow['outcome'], link: LinkRow): ImportedRow {
    return { outcome, id: link.id, alias: link.alias, shorturl: shortUrl(link, baseUrl()) };
  }

  /** Processes a row; an error is its result, and does not affect the others. */
  function attempt(work: () => ImportedRow): ImportedRow {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, field } = error.details;
      return { outcome: 'problem', code, message: error.message, ...(field !== undefined && { field }) };
    }
  }

  /** Imports a row. One that is refused half way leaves nothing behind. */
  const importOne = (row: ImportRow, run: Run, otherDomain: string | undefined): ImportedRow =>
    attempt(() => {
      const made = madeNames();
      const result = transactions.atomically(() =>
        importRow(clean(row, run.account, otherDomain), { ...run, made }),
      );
      run.made.add(made);
      return result;
    });

  /** Calls `step` until it returns false, a slice at a time. Throws 503 when the server stops before. */
  async function inSlices(step: Step, on: Transactions): Promise<void> {
    if (!(await slices.run(step, on)))
      throw unavailable('The server is stopping. Send the rows again after its next start.');
  }

  /** What each row would do. Each is tried together with the few before it that it depends on, and rolled back. */
  async function rehearse(request: Request, account: Account, made: MadeNames) {
    const { rows, conflict, planned, otherdomain } = request;
    const earlierRows = plannedRows<CleanRow>();
    const results: ImportedRow[] = [];
    const before: MadeBefore = planned ?? { channels: 0, campaigns: 0 };
    let created = planned?.links ?? 0;

    function rehearseRow(row: CleanRow): ImportedRow {
      const earlier = earlierRows.before(row);
      const own = madeNames({ made, before });
      const result = transactions.rehearse(() => {
        const run = { account, conflict, made: own, planned: Number.NEGATIVE_INFINITY };
        for (const each of earlier) importRow(each.row, run);
        return importRow(row, { ...run, planned: created - earlier.filter(({ isNew }) => isNew).length });
      });
      made.add(own);
      earlierRows.note(row, result.outcome);
      if (result.outcome !== 'create' && result.outcome !== 'rename') return result;
      created += 1;
      // Ids of a rolled back insert mean nothing, and a random alias will be different.
      return forget(result);
    }

    const step = () => {
      const row = rows[results.length];
      if (row) results.push(attempt(() => rehearseRow(clean(row, account, otherdomain))));
      return results.length < rows.length;
    };
    // Not committed, so that cached links are not invalidated for nothing.
    await inSlices(step, { ...transactions, provisionally: transactions.rehearse, makeDurable: () => {} });
    return results;
  }

  return {
    /**
     * Imports rows a few at a time, each completely or not at all; with `dryrun` each is tried and rolled back. Throws
     * 401 if the account is deleted or disabled meanwhile, the errors of `check`, and 503 if the server stops: rows
     * imported by then are recognized when sent again.
     */
    async run(account: Account, request: Request, check: () => void = () => {}) {
      const made = madeNames();
      if (request.dryrun) return { rows: await rehearse(request, account, made), ...made.lists() };
      const rows: ImportedRow[] = [];
      const run = { account, conflict: request.conflict, made, planned: 0 };
      try {
        await inSlices(() => {
          // Rows that were imported by now go with the account.
          if (!options.findAccount(account.user.id)) throw unauthorized();
          check();
          const row = request.rows[rows.length];
          if (row) rows.push(importOne(row, run, request.otherdomain));
          return rows.length < request.rows.length;
        }, transactions);
      } finally {
        const ids = rows.flatMap((row) => row.id ?? []);
        changes.publish({ accountId: account.user.id, resource: 'links', ids });
        if (made.names.campaigns.size > 0)
          changes.publish({ accountId: account.user.id, resource: 'campaigns', ids: [] });
      }
      return { rows, ...made.lists() };
    },

    /** Whether an account has a domain, by id, host name or address; the instance's own counts as one. */
    hasDomain(account: Account, domain: string): boolean {
      try {
        references.domainOf(domain, account.user.id);
        return true;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return false;
      }
    },
  };
}

export type ImportService = ReturnType<typeof importService>;

const passwordMissing = {
  code: 'password_missing',
  message: 'This link had a password, which no file contains. It is archived until you set one.',
};

/** The notes on a new link, starting with its password. */
function noticeOf({ isProtected }: CleanRow, notice: CleanRow['notice']): CleanRow['notice'] {
  if (!isProtected) return notice;
  if (notice.code === undefined) return passwordMissing;
  return {
    code: passwordMissing.code,
    message: `${passwordMissing.message} ${notice.message}`,
    codes: [passwordMissing.code, ...(notice.codes ?? [notice.code])],
  };
}

function forget({ id: _id, shorturl: _shorturl, ...row }: ImportedRow): ImportedRow {
  return row;
}
