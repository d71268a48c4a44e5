import { type Authored, powers, reaches, type TeamRule } from '../../contract/roles.ts';
import type { Creators } from '../database/authorship.ts';
import { forbidden, notFound, type Refusal } from '../errors.ts';
import { asPerson, type Caller } from './caller.ts';

export type CreatorOf = Creators['creatorOf'];

/** The name of a resource in its own 404: hidden records get the same response as missing ones. */
const resources: Readonly<Record<Authored, string>> = {
  links: 'Link',
  campaigns: 'Campaign',
  channels: 'Channel',
  pixels: 'Pixel',
  overlays: 'Overlay',
  splash: 'Splash page',
  qr: 'QR code',
  bio: 'Bio page',
  files: 'File',
  domains: 'Domain',
  webhooks: 'Webhook',
  cases: 'Case',
};

/**
 * Checks a member's permissions in the account, and returns the caller as endpoints see it. The only place where roles
 * are enforced; handlers check what depends on a body or is a list (decision 0066). Throws 404 for a record that
 * `own_only` hides, then 403.
 */
export function checkMember(
  { acts, records }: TeamRule,
  caller: Caller,
  params: Readonly<Record<string, string | number>>,
  creatorOf: CreatorOf,
): Caller {
  if (acts === 'member') return asPerson(caller);
  if (acts === 'person') {
    if (isInTeam(caller) && caller.key.kind !== 'session') throw sessionOnly();
    return asPerson(caller);
  }
  const power = powers[caller.role][acts];
  if (power === true && !caller.ownOnly) return caller;
  const named = records.map(({ param, resource, changes }) => {
    const kind = typeof resource === 'string' ? resource : (params[resource.param] as Authored);
    return { kind, changes, creator: creatorOf(kind, Number(params[param]), caller.user.id) };
  });
  const isOwn = (creator: number | undefined) => creator === caller.person.user.id;
  for (const { kind, creator } of named) {
    // The handler rejects unknown records, unless the role is too low for everything: 404 comes before 403.
    const isHidden = caller.ownOnly && creator !== undefined && !isOwn(creator);
    if (isHidden || (creator === undefined && power !== true)) throw notFound(resources[kind]);
  }
  if (power === true) return caller;
  const changed = named.filter(({ changes }) => changes);
  const areOwn = () => changed.length > 0 && changed.every(({ creator }) => isOwn(creator));
  if (!reaches(power, areOwn)) throw roleTooLow();
  return caller;
}

/** Throws 404 for a record in the path that the account does not have, before errors in the body. */
export function checkThere(
  { records }: TeamRule,
  { user, person }: Caller,
  params: Readonly<Record<string, string | number>>,
  creatorOf: CreatorOf,
): void {
  for (const { param, resource } of records) {
    const kind = typeof resource === 'string' ? resource : (params[resource.param] as Authored);
    // Administrators also work with domains that belong to no account.
    if (kind === 'domains' && person.user.admin) continue;
    if (creatorOf(kind, Number(params[param]), user.id) === undefined) throw notFound(resources[kind]);
  }
}

/** Whether the request acts on a team's account. */
export function isInTeam({ user, person }: Pick<Caller, 'user' | 'person'>): boolean {
  return user.id !== person.user.id;
}

/** 403 for a member whose role does not permit it. */
export function roleTooLow(): Refusal {
  return forbidden('role_too_low', 'Your role in this team does not allow this. Ask an admin of the team.');
}

/** 403 for a team's key on personal endpoints. */
export function sessionOnly(): Refusal {
  return forbidden(
    'account_only_session',
    'This belongs to a person, not to a team. Sign in, or use a key of your personal account.',
  );
}
