import type { Account } from '../../../server/contract/account.ts';
import type { Campaign } from '../../../server/contract/campaigns.ts';
import type { Channel } from '../../../server/contract/channels.ts';
import type { Link, LinkDetails } from '../../../server/contract/links.ts';
import { placeTypes } from '../../../server/contract/rules.ts';
import { readableAddress } from '../../ui/addresses.ts';
import { earlierCopies } from './earlier-copies.ts';
import { linkDraft } from './link-draft.ts';
import {
  type CampaignRow,
  type ChannelRow,
  foldName,
  type LinkRow,
  type RowNote,
  type RowReason,
  type RowState,
  type TransferKind,
  type TransferRow,
} from './rows.ts';

/** Data read from the source instance. */
export interface Source {
  readonly campaigns: readonly Campaign[];
  readonly channels: readonly Channel[];
  readonly links: readonly LinkDetails[];
  readonly timezone: string;
  /** Host names of the domains that are available there. */
  readonly hosts: ReadonlySet<string>;
}

/** Existing data of the destination instance. */
export interface Destination {
  readonly campaigns: readonly Pick<Campaign, 'id' | 'name'>[];
  readonly channels: readonly Pick<Channel, 'id' | 'name'>[];
  readonly links: readonly Pick<Link, 'alias' | 'longurl' | 'domain' | 'title'>[];
  readonly account: Account;
  readonly hosts: ReadonlySet<string>;
  /** `http(s)://host[:port]` */
  readonly origin: string;
  readonly isBaseContract: boolean;
}

export interface PlanChoices {
  readonly kinds: ReadonlySet<TransferKind>;
  /** Whether a filter was used: campaigns and channels without any of the selected links are then omitted. */
  readonly isNarrowed: boolean;
  /** Whether to copy password-protected links, although the copies have no password. */
  readonly opensProtected: boolean;
}

/** Plans all rows of a copy and their actions: campaigns and channels first, because links are added to them. */
export function planTransfer(source: Source, there: Destination, choices: PlanChoices): TransferRow[] {
  const has = (kind: TransferKind) => choices.kinds.has(kind);
  const onlyUsed = choices.isNarrowed && has('links');
  const usedCampaigns = new Set(source.links.map(({ campaign }) => campaign));
  const usedChannels = new Set(source.links.flatMap(({ channel }) => channel ?? []));
  const campaigns = has('campaigns')
    ? source.campaigns.filter(({ id }) => !onlyUsed || usedCampaigns.has(id))
    : [];
  const channels = has('channels')
    ? source.channels.filter(({ id }) => !onlyUsed || usedChannels.has(id))
    : [];
  const known = {
    campaigns: namesOf(there.campaigns),
    channels: namesOf(there.channels),
  };
  const willBe = {
    campaigns: new Set([...known.campaigns, ...namesOf(campaigns)]),
    channels: new Set([...known.channels, ...namesOf(channels)]),
  };
  return [
    ...campaigns.map((one) =>
      campaignRow(one, source, there, { names: known.campaigns, hasLinks: has('links') }),
    ),
    ...channels.map((one) => channelRow(one, known.channels)),
    ...(has('links') ? linkRows(source, there, choices, willBe) : []),
  ];
}

function campaignRow(
  one: Campaign,
  source: Source,
  there: Destination,
  { names, hasLinks }: { names: Set<string>; hasLinks: boolean },
): CampaignRow {
  const host = hostOf(one.domain);
  const keepsDomain = host !== undefined && there.hosts.has(host);
  const isKnown = names.has(foldName(one.name));
  const notes: RowNote[] = [];
  if (!isKnown && there.isBaseContract && one.slug) notes.push('slug');
  if (!isKnown && there.isBaseContract && one.slug === null) notes.push('rotator');
  // Weights and order only matter with several links.
  if (hasLinks && (one.urlcount ?? 0) > 1) notes.push('weights');
  if (!isKnown && host !== undefined && !keepsDomain && source.hosts.has(host)) notes.push('domain');
  return {
    kind: 'campaigns',
    key: `campaigns:${one.id}`,
    name: one.name,
    detail: one.rotator ? readableAddress(one.rotator) : '',
    ...nameState(isKnown),
    notes,
    draft: {
      name: one.name,
      public: one.public,
      // Fields beyond the base contract are not sent to servers that may not support them.
      ...(!there.isBaseContract && one.slug && { slug: one.slug }),
      ...(!there.isBaseContract && keepsDomain && { domain: host }),
    },
    isWithoutRotator: !there.isBaseContract && (one.slug === null || one.rotator === false),
  };
}

function channelRow(one: Channel, names: Set<string>): ChannelRow {
  const isKnown = names.has(foldName(one.name));
  return {
    kind: 'channels',
    key: `channels:${one.id}`,
    name: one.name,
    detail: one.description ?? '',
    ...nameState(isKnown),
    notes: [],
    draft: {
      name: one.name,
      ...(one.description && { description: one.description }),
      ...(one.color && { color: one.color }),
      starred: one.starred,
    },
  };
}

function linkRows(
  source: Source,
  there: Destination,
  { opensProtected }: PlanChoices,
  willBe: { campaigns: Set<string>; channels: Set<string> },
): LinkRow[] {
  const names = {
    campaigns: new Map(source.campaigns.map(({ id, name }) => [id, name])),
    channels: new Map(source.channels.map(({ id, name }) => [id, name])),
  };
  const standard = hostOf(there.account.domain) ?? hostOf(there.origin) ?? '';
  const taken = new Map(
    there.links.map((link) => [aliasKey(hostOf(link.domain) ?? standard, link.alias), link.longurl]),
  );
  const gates = { alias: there.account.permissions?.alias !== false };
  const placed = source.links.map((link) => {
    const host = hostOf(link.domain);
    const keepsHost = host !== undefined && host !== standard && there.hosts.has(host);
    // Only branded domains support slashes in aliases, not an instance's own host.
    const keepsAlias = gates.alias && (keepsHost || !link.alias.includes('/'));
    const place = keepsHost ? host : standard;
    const key = aliasKey(place, link.alias);
    const holder = keepsAlias ? taken.get(key) : undefined;
    const isElsewhere = !keepsAlias || (holder !== undefined && holder !== link.longurl);
    return { link, host, keepsHost, keepsAlias, place, key, isElsewhere };
  });
  const wanted = new Set(placed.flatMap(({ keepsAlias, key }) => (keepsAlias ? key : [])));
  const around = { there, standard, opensProtected };
  const copies = earlierCopies(
    placed.flatMap(({ link, place, isElsewhere }) =>
      isElsewhere && judge(link, { ...around, holder: undefined }).state === 'new'
        ? { id: link.id, longurl: link.longurl, title: link.title, place }
        : [],
    ),
    there.links.flatMap((link) => {
      const place = hostOf(link.domain) ?? standard;
      return wanted.has(aliasKey(place, link.alias)) ? [] : { ...link, place };
    }),
  );
  const copied = new Set([...copies].map(({ id }) => id));

  return placed.map(({ link, host, keepsHost, keepsAlias, place, key }): LinkRow => {
    const { draft, notes } = linkDraft(link, source.timezone, there.account.timezone ?? 'UTC');
    if (keepsHost) draft.domain = host;
    else if (host !== undefined && host !== standard && source.hosts.has(host)) notes.push('domain');
    if (keepsAlias) draft.custom = link.alias;
    else notes.push(gates.alias ? 'slashes' : 'alias');

    const campaign = link.campaign ? names.campaigns.get(link.campaign) : undefined;
    const channels = (link.channel ?? []).flatMap((id) => names.channels.get(id) ?? []);
    if (campaign !== undefined && !willBe.campaigns.has(foldName(campaign))) notes.push('campaign');
    if (channels.some((name) => !willBe.channels.has(foldName(name)))) notes.push('channel');

    const holder = keepsAlias ? taken.get(key) : undefined;
    const judged: Pick<LinkRow, 'state' | 'reason' | 'anyway'> = copied.has(link.id)
      ? { state: 'exists', reason: 'sameDestination', anyway: holder === undefined ? 'create' : 'rename' }
      : judge(link, { ...around, holder });
    // Two originals on different domains may have the same alias on their common host at the destination.
    if (judged.state === 'new' && keepsAlias) taken.set(key, link.longurl);
    return {
      kind: 'links',
      key: `links:${link.id}`,
      name: link.title || link.alias,
      detail: link.longurl,
      ...judged,
      notes: (judged.state === 'exists' && !judged.anyway) || judged.state === 'blocked' ? [] : notes,
      address: keepsAlias ? `${place}/${link.alias}` : undefined,
      draft,
      campaign,
      channels,
    };
  });
}

interface Judging {
  readonly there: Destination;
  /** Default host of new links there. */
  readonly standard: string;
  readonly opensProtected: boolean;
  /** Destination of the existing link with this alias. */
  readonly holder: string | undefined;
}

function judge(
  link: LinkDetails,
  { there, standard, opensProtected, holder }: Judging,
): { state: RowState; reason?: RowReason } {
  if (holder === link.longurl) return { state: 'exists', reason: 'sameLink' };
  const own = hostOf(link.longurl);
  if (own !== undefined && (own === hostOf(there.origin) || own === standard || there.hosts.has(own)))
    return { state: 'blocked', reason: 'loop' };
  if (link.protected && !opensProtected) return { state: 'blocked', reason: 'password' };
  const conditions = link.rules?.flatMap((rule) => rule.conditions.map(({ type }) => type)) ?? [];
  const { geo, device } = there.account.features ?? {};
  if (geo?.enabled === false && conditions.some((type) => placeTypes.includes(type)))
    return { state: 'blocked', reason: 'geo' };
  if (device?.enabled === false && conditions.some((type) => type === 'device' || type === 'os'))
    return { state: 'blocked', reason: 'device' };
  return holder === undefined ? { state: 'new' } : { state: 'conflict', reason: 'aliasTaken' };
}

/** Existing campaigns and channels of the same name are reused. */
function nameState(isKnown: boolean): { state: RowState; reason?: RowReason } {
  return isKnown ? { state: 'exists', reason: 'sameName' } : { state: 'new' };
}

/** Number of password-protected links, which determines whether the page asks about them. */
export function countProtected(links: readonly LinkDetails[]): number {
  return links.filter((link) => link.protected).length;
}

/** Host and port of a URL in lowercase; undefined if it is not a URL. */
export function hostOf(address: string | null | undefined): string | undefined {
  if (!address) return undefined;
  return URL.parse(address)?.host.toLowerCase() || undefined;
}

function aliasKey(host: string, alias: string): string {
  return `${host} ${alias.normalize('NFC')}`;
}

function namesOf(records: readonly { readonly name: string }[]): Set<string> {
  return new Set(records.map(({ name }) => foldName(name)));
}
