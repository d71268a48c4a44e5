import type Koa from 'koa';
import type { EditInfo } from '../../contract/edit-info.ts';
import type { AnyEndpoint } from '../../contract/endpoint.ts';
import { type Authored as AuthoredKind, powers, reaches, type TeamRule } from '../../contract/roles.ts';
import type { Creators } from '../database/authorship.ts';
import { forbidden, planRequired, scopeMissing, unauthorized } from '../errors.ts';
import { asPerson, type Caller } from './caller.ts';
import { type CreatorOf, checkMember, isInTeam } from './member-check.ts';
import { grants, readScopes } from './scopes.ts';

/** Whether a caller may see a record of the account: some members see only what they created. */
export function sees(
  resource: AuthoredKind,
  id: number,
  caller: Caller | undefined,
  context: Koa.Context,
): boolean {
  if (!caller?.ownOnly) return true;
  const creatorOf = context.state.creatorOf as CreatorOf;
  return creatorOf(resource, id, caller.user.id) === caller.person.user.id;
}

/** Whether a caller may edit a record of the account, with their current role. */
export function edits(
  resource: AuthoredKind,
  id: number,
  caller: Caller | undefined,
  context: Koa.Context,
): boolean {
  if (!caller) return false;
  const creatorOf = context.state.creatorOf as CreatorOf;
  return reaches(
    powers[caller.role].edit,
    () => creatorOf(resource, id, caller.user.id) === caller.person.user.id,
  );
}

/** The authorship columns of a record. */
export interface EditedRow {
  version: number;
  created_by?: number | null;
  updated_by?: number | null;
}

/** Personal accounts get no authorship fields: their responses are those of the published contract. */
export function editInfoOf(row: EditedRow, caller: Caller | undefined, context: Koa.Context): EditInfo {
  const { version } = row;
  if (!caller || !isInTeam(caller)) return { version };
  const nameOf = context.state.nameOf as Creators['nameOf'];
  const person = (id: number | null | undefined) => {
    const name = id ? nameOf(id) : undefined;
    return name === undefined ? null : { id: id as number, name };
  };
  return { version, created_by: person(row.created_by), updated_by: person(row.updated_by) };
}

/** The caller as endpoints see it. Throws 403 or 404 if the request is not permitted. */
export function admitted(
  endpoint: AnyEndpoint,
  rule: TeamRule,
  asking: Caller,
  params: Readonly<Record<string, string | number>>,
  context: Koa.Context,
): Caller {
  if (endpoint.access === 'public') return asPerson(asking);
  checkAccess(endpoint, asking);
  return checkMember(rule, asking, params, context.state.creatorOf as CreatorOf);
}

function checkAccess(endpoint: AnyEndpoint, caller: Caller): void {
  if (endpoint.access === 'admin' && !caller.person.user.admin) {
    throw forbidden('administrator_required', 'Only administrators of this instance can do this.');
  }
  // The app's own pages are not the API: sessions work on every plan.
  if (caller.key.kind !== 'session' && caller.plan.features.api?.enabled === false) throw planRequired('api');
  const scopes = readScopes(caller.key.scopes);
  const missing = neededScopes(endpoint).find((needed) => !grants(scopes, needed));
  if (missing !== undefined) throw scopeMissing(missing);
}

/** The caller as currently stored. Throws 401 or 404 if it no longer exists. */
export function callerAgain(context: Koa.Context): Caller {
  const authenticateAgain = context.state.authenticateAgain as () => Caller | undefined;
  const caller = authenticateAgain();
  if (!caller) throw unauthorized();
  if (caller.refusal) throw caller.refusal;
  return caller;
}

/**
 * All scopes that an operation requires, since permissions follow from the data it reaches; reading needs less. `full`
 * is more than any list of scopes.
 */
export function neededScopes(endpoint: AnyEndpoint): string[] {
  if (endpoint.reachesAll) return ['full'];
  if (endpoint.scope === undefined) return [];
  const own = `${endpoint.scope}:${endpoint.reads ? 'read' : 'write'}`;
  return [own, ...endpoint.alsoReads.map((resource) => `${resource}:read`)];
}
