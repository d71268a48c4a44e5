import { type Authored, powers, reaches, type TeamRule } from '../../contract/roles.ts';
import type { Creators } from '../database/authorship.ts';
import { forbidden, notFound, type Refusal } from '../errors.ts';
import { asPerson, type Caller } from './caller.ts';

export type CreatorOf = Creators['creatorOf'];

/** How a resource's own 404 calls it: what is hidden is answered like what does not exist. */
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
 * Checks what a member may do in the account that acts, and returns the caller as the endpoint serves them. This is the
 * one place where roles are enforced; what depends on a body or is a list, its handler does (decision 0066). Throws 404
 * for a record that `own_only` hides, then 403.
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
    // An unknown one is refused by its handler, unless the role is too low for everything: 404 comes before 403.
    const isHidden = caller.ownOnly && creator !== undefined && !isOwn(creator);
    if (isHidden || (creator === undefined && power !== true)) throw notFound(resources[kind]);
  }
  if (power === true) return caller;
  const changed = named.filter(({ changes }) => changes);
  const areOwn = () => changed.length > 0 && changed.every(({ creator }) => isOwn(creator));
  if (!reaches(power, areOwn)) throw roleTooLow();
  return caller;
}

/** Throws 404 for a record in the path that the account does not have: it is told before what is wrong with a body. */
export function checkThere(
  { records }: TeamRule,
  { user, person }: Caller,
  params: Readonly<Record<string, string | number>>,
  creatorOf: CreatorOf,
): void {
  for (const { param, resource } of records) {
    const kind = typeof resource === 'string' ? resource : (params[resource.param] as Authored);
    // Administrators work with domains of no account as well.
    if (kind === 'domains' && person.user.admin) continue;
    if (creatorOf(kind, Number(params[param]), user.id) === undefined) throw notFound(resources[kind]);
  }
}

/** Whether the account that acts is a team's. */
export function isInTeam({ user, person }: Pick<Caller, 'user' | 'person'>): boolean {
  return user.id !== person.user.id;
}

/** 403 of a member whose role does not allow it. */
export function roleTooLow(): Refusal {
  return forbidden('role_too_low', 'Your role in this team does not allow this. Ask an admin of the team.');
}

/** 403 of a team's key, for what is the person's own. */
export function sessionOnly(): Refusal {
  return forbidden(
    'account_only_session',
    'This belongs to a person, not to a team. Sign in, or use a key of your personal account.',
  );
}
