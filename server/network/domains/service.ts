import type { LinkReferences } from '../../content/links/references.ts';
import type { DomainChange, NewDomain, ProofState } from '../../contract/domains.ts';
import { featureCheck } from '../../identity/plans/feature-check.ts';
import type { StorageQuota } from '../../identity/plans/storage-quota.ts';
import { accountParty } from '../../platform/concurrency/fair-queue.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { forbidden, notFound, planRequired, Refusal, rejected } from '../../platform/errors.ts';
import type { Changes } from '../../platform/events/changes.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import type { Picture } from '../../platform/images/images.ts';
import { storedApps } from './app-links.ts';
import type { DomainClaims } from './claims.ts';
import type { DnsCheck, DnsVerdict } from './dns-check.ts';
import { readHostName } from './host-name.ts';
import type { DomainOverview, DomainUseRow } from './overview-queries.ts';
import type { DomainOwnership } from './ownership.ts';
import { type DomainPictures, type PictureKind, picturePath } from './pictures.ts';
import type { DomainProofs } from './proof.ts';
import type { DomainLists, DomainRecord, DomainRecordQueries, DomainRow, LogRow } from './record-queries.ts';
import type { DomainSetup, FindSetup } from './setup.ts';

interface Options {
  queries: DomainRecordQueries;
  lists: DomainLists;
  references: Pick<LinkReferences, 'readDestination'>;
  claims: DomainClaims;
  checkDns: DnsCheck;
  ownership: Pick<DomainOwnership, 'look'>;
  proofs: Pick<DomainProofs, 'hasRecord'>;
  findSetup: FindSetup;
  overview: DomainOverview;
  /** Stores the result of a check; false if the domain was deleted. */
  noteDns: (id: number, verdict: DnsVerdict) => boolean;
  /** Whether a bio page is the account's own. */
  ownsBio: (id: number, userId: number) => boolean;
  pictures: DomainPictures;
  quota: Pick<StorageQuota, 'within'>;
  /** Removes a domain immediately; resolves when its content is moved, or when that takes long. */
  release: (id: number) => Promise<void>;
  now: () => number;
  transactions: Transactions;
  changes: Pick<Changes, 'publish'>;
}

/** How long an unverified claim is kept. */
const claimMs = 7 * 24 * 3_600_000;

/** The defaults of a new domain. */
const emptyRecord: DomainRecord = {
  redirect_root: null,
  redirect_404: null,
  redirect_expired: null,
  redirect_early: null,
  bio_id: null,
  disabled: 0,
  apps: null,
};

/** The domain's redirects other than links: fields, and their columns. */
const elsewhere = [
  ['redirect404', 'redirect_404'],
  ['redirectexpired', 'redirect_expired'],
  ['redirectearly', 'redirect_early'],
] as const;

type Pictures = Partial<Record<PictureKind, Picture | null>>;

/** Branded domains: short links under one's own host names (contract, "Branded domains"). */
export function domainService(options: Options) {
  const { queries, lists, references, checkDns, claims, ownership, proofs, pictures, now, transactions } =
    options;
  const checkPlan = featureCheck('domain', 'domain', 'domains', queries.countOwned);

  function get(id: number, { user }: Account): DomainRow {
    const row = queries.find(id, user.id, user.admin);
    if (!row) throw notFound('Domain');
    return row;
  }

  function changed(account: Account, id: number): void {
    options.changes.publish({ accountId: account.user.id, resource: 'domains', ids: [id] });
  }

  function readAddress(text: string, field: string, host: string): string {
    const address = references.readDestination(text, field);
    if (new URL(address).hostname === host) {
      throw rejected('loop', field, 'This redirects back to the same domain. Choose another URL.');
    }
    return address;
  }

  /** Plan first, then mutual exclusion, then existence (decision 0004). */
  function checkBio({ bioid, redirectroot }: Pick<DomainChange, 'bioid' | 'redirectroot'>, account: Account) {
    if (!bioid) return;
    if (!account.plan.features.bio?.enabled) throw planRequired('bio');
    if (redirectroot) {
      throw rejected('exclusive', 'bioid', 'Send either redirectroot or bioid, not both.');
    }
    if (options.ownsBio(bioid, account.user.id)) return;
    throw rejected('unknown_bio', 'bioid', 'This is not one of your bio pages.');
  }

  function checkPlans(plans: readonly number[] | null | undefined): void {
    const unknown = (plans ?? []).find((id) => !queries.planExists(id));
    if (unknown !== undefined) throw rejected('unknown_plan', 'plans', `Plan ${unknown} not found.`);
  }

  /** Applies what was sent; `redirectroot` takes the place of a bio page, an empty value takes a thing away. */
  function applyChange(record: DomainRecord, change: DomainChange, host: string): DomainRecord {
    const next: DomainRecord = { ...record };
    // Beside a page, an empty redirect only says that the page is shown instead: the stored one stays.
    const isReplaced = !change.redirectroot && Boolean(change.bioid);
    if (change.redirectroot !== undefined && !isReplaced) {
      next.redirect_root = change.redirectroot
        ? readAddress(change.redirectroot, 'redirectroot', host)
        : null;
      if (change.redirectroot) next.bio_id = null;
    }
    for (const [field, column] of elsewhere) {
      const text = change[field];
      if (text !== undefined) next[column] = text ? readAddress(text, field, host) : null;
    }
    // The former redirect stays stored: it is used again when the page is removed.
    if (change.bioid !== undefined) next.bio_id = change.bioid || null;
    if (change.disabled !== undefined) next.disabled = change.disabled ? 1 : 0;
    if (change.apps !== undefined) next.apps = storedApps(change.apps);
    return next;
  }

  /** The present path of a picture changes nothing: it is what a client sends that returns what it has read. */
  async function fetchPictures(
    change: Pick<DomainChange, PictureKind>,
    present: Pick<DomainRow, PictureKind>,
    { user }: Account,
  ): Promise<Pictures> {
    const fetched: Pictures = {};
    for (const kind of ['logo', 'favicon'] as const) {
      const url = change[kind];
      if (url === undefined || url === picturePath(present[kind])) continue;
      fetched[kind] = url ? await pictures.fetch(kind, url, accountParty(user.id)) : null;
    }
    return fetched;
  }

  function storePictures(id: number, fetched: Pictures, account: Account): void {
    for (const kind of ['logo', 'favicon'] as const) {
      const picture = fetched[kind];
      if (picture === undefined) continue;
      options.quota.within(account, kind, () => pictures.store(id, kind, picture));
    }
  }

  return {
    get,

    list: ({ user }: Account, page: ListPage): Promise<Page<DomainRow>> => lists.list(user.id, now(), page),

    listPlatform: (page: { limit: number; offset: number }): Promise<Page<DomainRow>> =>
      lists.listPlatform(page),

    listLog: async (
      id: number,
      account: Account,
      page: { limit: number; offset: number },
    ): Promise<Page<LogRow>> => lists.listLog(get(id, account).id, page),

    /** What uses the account's domains, in the order of the list. */
    listUse: ({ user }: Account, page: ListPage): Promise<DomainUseRow[]> =>
      options.overview.list(user.id, now(), page),

    /** The DNS records that a host needs before it is added. Throws 400 for hosts that cannot be added. */
    async preview(
      { user }: Account,
      text: string,
      isPlatform: boolean,
    ): Promise<{ setup: DomainSetup; state: ProofState }> {
      const claim = { host: readHostName(text), user_id: isPlatform ? null : user.id };
      await claims.findDisplaced(claim);
      const [setup, hasRecord] = await Promise.all([options.findSetup(claim), proofs.hasRecord(claim)]);
      if (hasRecord) return { setup, state: 'proved' };
      const isDirect = setup.verdict.outcome === 'passed' && setup.verdict.type === 'direct';
      return { setup, state: isDirect ? 'automatic' : 'pending' };
    },

    async setup(id: number, account: Account): Promise<{ setup: DomainSetup; row: DomainRow }> {
      const setup = await options.findSetup(get(id, account));
      return { setup, row: get(id, account) };
    },

    /** Adds a domain that already points here. Throws 400 `dns_mismatch` with the address that it resolves to. */
    async add(account: Account, body: NewDomain): Promise<DomainRow> {
      const isPlatform = body.platform === true;
      if (isPlatform && !account.user.admin) {
        throw forbidden('administrator_required', 'Only administrators can offer platform domains.');
      }
      const checkRoom = () => (isPlatform ? undefined : checkPlan(account, true));
      checkRoom();
      checkBio(body, account);
      const host = readHostName(body.domain);
      const claim = { host, user_id: isPlatform ? null : account.user.id };
      const displaced = await claims.findDisplaced(claim);
      checkPlans(body.plans);
      const { redirectroot, redirect404, redirectexpired, redirectearly, bioid, apps } = body;
      const sent = { redirectroot, redirect404, redirectexpired, redirectearly, bioid, apps };
      const record = applyChange(emptyRecord, sent, host);
      const verdict = await checkDns(host);
      if (verdict.outcome !== 'passed') throw dnsMismatch(verdict);
      const fetched = await fetchPictures(body, { logo: null, favicon: null }, account);
      if (displaced) await claims.displace(displaced, host);

      const at = now();
      const id = transactions.atomically(() => {
        // All again: the checks above took a while.
        claims.checkFree(host);
        checkRoom();
        checkBio(body, account);
        const { type, address } = verdict;
        const lapses_at = at + claimMs;
        const added = queries.insert({
          ...record,
          ...claim,
          dns_type: type,
          resolved_ip: address,
          lapses_at,
          at,
        });
        if (isPlatform) queries.setPlans(added, body.plans ?? []);
        storePictures(added, fetched, account);
        queries.addEntry(added, at, {
          event: 'added',
          message: `Added; ${host} resolves to ${address}.`,
          details: { address },
        });
        return added;
      });
      changed(account, id);
      return get(id, account);
    },

    async update(id: number, account: Account, change: DomainChange): Promise<DomainRow> {
      get(id, account);
      checkBio(change, account);
      checkPlans(change.plans);
      const present = get(id, account);
      const { host } = present;
      // Refuses wrong addresses before anything is fetched.
      applyChange(emptyRecord, change, host);
      const fetched = await fetchPictures(change, present, account);
      transactions.atomically(() => {
        const row = get(id, account);
        // Again: pictures may have taken a while.
        checkBio(change, account);
        const record = applyChange(row, change, host);
        const { disabled } = record;
        queries.update(id, pickRecord(record));
        if (row.user_id === null && change.plans !== undefined) queries.setPlans(id, change.plans ?? []);
        storePictures(id, fetched, account);
        if (disabled !== row.disabled) {
          const entry = disabled
            ? ({ event: 'disabled', message: 'Disabled by its owner.' } as const)
            : ({ event: 'enabled', message: 'Enabled by its owner.' } as const);
          queries.addEntry(id, now(), entry);
        }
      });
      changed(account, id);
      return get(id, account);
    },

    /** Looks the domain up now, looks for a proof where one is missing, and keeps what was found. */
    async check(id: number, account: Account): Promise<{ row: DomainRow; verdict: DnsVerdict }> {
      const { host } = get(id, account);
      const verdict = await checkDns(host);
      if (options.noteDns(id, verdict) && verdict.outcome === 'passed') await ownership.look(id, verdict);
      changed(account, id);
      return { row: get(id, account), verdict };
    },

    /**
     * Routing stops immediately; certificate and key are deleted, links and campaigns unbound, then the row is
     * deleted. If there are very many links, the rest follows after the response.
     */
    async remove(id: number, account: Account): Promise<void> {
      get(id, account);
      await options.release(id);
      changed(account, id);
      options.changes.publish({ accountId: account.user.id, resource: 'links', ids: [] });
    },
  };
}

export type DomainService = ReturnType<typeof domainService>;

function dnsMismatch(verdict: Exclude<DnsVerdict, { outcome: 'passed' }>) {
  const data = { resolved_ip: verdict.address };
  return new Refusal(400, verdict.message, { code: 'dns_mismatch', field: 'domain', data });
}

/** What can be set on a domain, without the rest of its row. */
function pickRecord(record: DomainRecord): DomainRecord {
  const { redirect_root, redirect_404, redirect_expired, redirect_early, bio_id, disabled, apps } = record;
  return { redirect_root, redirect_404, redirect_expired, redirect_early, bio_id, disabled, apps };
}
