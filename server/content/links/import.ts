import type { BodyOf } from '../../contract/endpoint.ts';
import type { ImportedRow, ImportRow, importLinks } from '../../contract/import.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { planRequired, Refusal, unauthorized, unavailable } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Account } from '../../platform/http/caller.ts';
import { parseMoment } from '../../platform/http/timestamps.ts';
import type { Slices } from '../../platform/jobs/slices.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import type { AliasQueries } from '../../visits/redirects/alias-queries.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import type { ChannelQueries } from '../channels/queries.ts';
import { readAlias } from './aliases.ts';
import type { LinkHistory } from './history.ts';
import type { ImportedRows } from './imported-rows.ts';
import { emptyRecord, type LinkQueries, type LinkRow, pickRecord } from './queries.ts';
import type { LinkReferences } from './references.ts';
import { defaultsOf, type LinkService } from './service.ts';

type Request = BodyOf<typeof importLinks>;

interface Options {
  links: Pick<LinkService, 'insert' | 'checkRoom'>;
  queries: LinkQueries;
  imported: ImportedRows;
  aliases: AliasQueries;
  channels: ChannelQueries;
  references: LinkReferences;
  history: LinkHistory;
  baseUrl: () => string;
  now: () => number;
  transactions: Transactions;
  slices: Slices;
  /** An account by its id; undefined when it is gone or switched off. */
  findAccount: (id: number) => Account | undefined;
  changes: Pick<Changes, 'publish'>;
}

/** A row of another service, with everything in our forms. */
interface CleanRow {
  url: string;
  alias: string;
  domainId: number | null;
  title: string | null;
  note: string | null;
  tags: string[];
  createdAt: number;
  token: string | undefined;
}

const maxTitle = 255;
const maxNote = 5000;

/**
 * Imports rows of another service. Each row has its own outcome; a broken one holds up none of the others. Sending the
 * same rows again makes nothing twice: they are known by their aliases, and by their tokens.
 */
export function importService(options: Options) {
  const { links, queries, imported, aliases, channels, references, history, baseUrl, now } = options;
  const { transactions, slices, changes } = options;

  function clean(row: ImportRow, account: Account): CleanRow {
    const { user } = account;
    const url = references.readDestination(row.url, 'url');
    const domainId = row.domain?.trim() ? references.domainOf(row.domain, user.id) : null;
    if (row.alias?.trim() && !account.plan.permissions.alias) throw planRequired('alias');
    const alias = row.alias?.trim() ? readAlias(row.alias, 'alias') : '';
    const title =
      row.title
        ?.normalize('NFC')
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, maxTitle) || null;
    const note =
      row.note
        ?.normalize('NFC')
        .replace(/[^\P{Cc}\t\n\r]+/gu, ' ')
        .trim()
        .slice(0, maxNote) || null;
    const tags = (row.tags ?? []).map((tag) => tag.normalize('NFC').trim().slice(0, 100)).filter(Boolean);
    const createdAt = row.date ? parseMoment(row.date, user.timezone, 'start', 'date') : now();
    return { url, alias, domainId, title, note, tags, createdAt, token: row.token };
  }

  function importRow(row: CleanRow, request: Request, account: Account, made: Set<string>): ImportedRow {
    const earlier = madeBefore(row, account);
    if (earlier) return outcomeOf('exists', earlier);
    const existing = row.alias === '' ? undefined : aliases.holderOf(row.domainId, row.alias);
    if (!existing) return create(row, 'create', account, made);
    const link = existing.kind === 'link' ? queries.find(existing.target_id, account.user.id) : undefined;
    if (link && link.url === row.url) {
      assignTags(link.id, row.tags, account, made);
      return outcomeOf('exists', link);
    }
    if (request.conflict === 'rename') return create({ ...row, alias: '' }, 'rename', account, made);
    if (request.conflict === 'replace' && link && link.locked === 0) return replace(link, row, account, made);
    return {
      outcome: 'skip',
      code: link?.locked ? 'locked' : 'alias_taken',
      message: `The alias "${row.alias}" is taken by another destination.`,
    };
  }

  /** The link that this very row made when it was sent before. One that was deleted since is made again. */
  function madeBefore({ token }: CleanRow, { user }: Account): LinkRow | undefined {
    const id = token === undefined ? undefined : imported.linkOf(user.id, token);
    const link = id === undefined ? undefined : queries.find(id, user.id);
    return link?.trashed_at === null ? link : undefined;
  }

  function create(
    row: CleanRow,
    outcome: 'create' | 'rename',
    account: Account,
    made: Set<string>,
  ): ImportedRow {
    const { url, alias, title, note, domainId } = row;
    links.checkRoom(account);
    const { type } = defaultsOf(account);
    const record = { ...emptyRecord, type, url, alias, title, note, domain_id: domainId };
    const id = links.insert(account.user.id, record, row.createdAt);
    assignTags(id, row.tags, account, made);
    if (row.token !== undefined) imported.note(account.user.id, row.token, id);
    return outcomeOf(outcome, queries.find(id, account.user.id) as LinkRow);
  }

  function replace(link: LinkRow, row: CleanRow, account: Account, made: Set<string>): ImportedRow {
    const record = {
      ...pickRecord(link),
      url: row.url,
      title: row.title ?? link.title,
      note: row.note ?? link.note,
    };
    if (history.isChange(link, record)) {
      history.note(history.begin(account.user.id, 'import'), link, record);
      history.store(link, record);
    }
    assignTags(link.id, row.tags, account, made);
    if (row.token !== undefined) imported.note(account.user.id, row.token, link.id);
    return outcomeOf('replace', link);
  }

  /** Tags become channels; one that is missing is made. */
  function assignTags(linkId: number, tags: readonly string[], account: Account, made: Set<string>): void {
    for (const tag of tags) {
      const folded = caseFold(tag);
      let channel = channels.findByName(account.user.id, folded);
      if (channel === undefined) {
        channel = channels.insert(
          account.user.id,
          { name: tag, description: null, color: null, starred: 0 },
          folded,
          now(),
        );
        made.add(tag);
      }
      channels.assignLink(channel, linkId);
    }
  }

  function outcomeOf(outcome: ImportedRow['outcome'], link: LinkRow): ImportedRow {
    return { outcome, id: link.id, alias: link.alias, shorturl: shortUrl(link, baseUrl()) };
  }

  function importOne(row: ImportRow, request: Request, account: Account, made: Set<string>): ImportedRow {
    try {
      // A row that is refused half way leaves nothing behind.
      return transactions.atomically(() => importRow(clean(row, account), request, account, made));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { outcome: 'problem', code: error.details.code, message: error.message };
    }
  }

  return {
    /**
     * Imports rows a few at a time, each whole or not at all; with `dryrun` all of them in one transaction that is rolled
     * back. Throws 401 when the account is deleted or switched off
     * meanwhile, and 503 when the server stops: what was imported by then is known when the rows are sent again.
     */
    async run(account: Account, request: Request) {
      const made = new Set<string>();
      if (request.dryrun) {
        const rows = transactions.rehearse(() =>
          request.rows.map((row) => importOne(row, request, account, made)),
        );
        // The ids of a rolled back insert mean nothing, and a random alias will be another one.
        return {
          rows: rows.map((row) => (row.outcome === 'create' || row.outcome === 'rename' ? forget(row) : row)),
          channels: [...made],
        };
      }
      const rows: ImportedRow[] = [];
      const isOver = await slices.run(() => {
        // Rows that were imported by now go with the account.
        if (!options.findAccount(account.user.id)) throw unauthorized();
        const row = request.rows[rows.length];
        if (row) rows.push(importOne(row, request, account, made));
        return rows.length < request.rows.length;
      });
      const ids = rows.flatMap((row) => row.id ?? []);
      changes.publish({ accountId: account.user.id, resource: 'links', ids });
      if (!isOver) throw unavailable('The server is stopping. Send the rows again after its next start.');
      return { rows, channels: [...made] };
    },
  };
}

export type ImportService = ReturnType<typeof importService>;

function forget({ id: _id, shorturl: _shorturl, ...row }: ImportedRow): ImportedRow {
  return row;
}
