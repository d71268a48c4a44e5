/** The roles in a team, in ascending order. In a personal account, its person is the owner. */
export const roles = ['viewer', 'contributor', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/**
 * Permission levels in an account: `see` it; `create` records; `edit` them, including deletion, bulk changes, import,
 * export and undo; `manage` members, domains, webhooks and settings; `own` it, which allows transferring or deleting
 * it.
 */
export type Action = 'see' | 'create' | 'edit' | 'manage' | 'own';

/** The permissions of each role in a team; `own` limits one to records that the user created. */
export const powers: Readonly<Record<Role, Readonly<Record<Action, boolean | 'own'>>>> = {
  viewer: { see: true, create: false, edit: false, manage: false, own: false },
  contributor: { see: true, create: true, edit: 'own', manage: false, own: false },
  editor: { see: true, create: true, edit: true, manage: false, own: false },
  admin: { see: true, create: true, edit: true, manage: true, own: false },
  owner: { see: true, create: true, edit: true, manage: true, own: true },
};

/** Whether a permission covers a record. `isOwn` is only called if it matters. */
export function reaches(power: boolean | 'own', isOwn: () => boolean): boolean {
  return power === 'own' ? isOwn() : power;
}

/** The roles that can be limited to their own records. */
export const limitedRoles: readonly Role[] = ['viewer', 'contributor'];

/** Kinds of records in an account that have a creator. */
export const authoredResources = [
  'links',
  'campaigns',
  'channels',
  'pixels',
  'overlays',
  'splash',
  'qr',
  'bio',
  'files',
  'domains',
  'webhooks',
] as const;
export type AuthoredResource = (typeof authoredResources)[number];
/** Anything with a creator: a record, or a saved simulator case, which belongs to its link. */
export type Authored = AuthoredResource | 'cases';

/**
 * Whom an endpoint acts for: the acting account, with the permission that the member needs there; the requesting
 * `person`, whatever the account (team keys are rejected); or the `member`, a person who names a team in the path or
 * the body.
 */
export type ActsFor = Action | 'person' | 'member';

/** A record in a path: the parameter with its id, and its kind or the parameter that contains the kind. */
export interface NamedRecord {
  param: string;
  resource: Authored | { param: string };
  /** Whether it is modified, so that a contributor must have created it; otherwise access to it is sufficient. */
  changes: boolean;
}

export interface TeamRule {
  acts: ActsFor;
  records: readonly NamedRecord[];
}

/** The properties that determine an endpoint's permissions. */
interface Described {
  method: string;
  path: string;
  access: string;
  scope?: string;
  reads: boolean;
  acts?: ActsFor;
}

/** The kind of record that `:id` refers to, by the first path segment. */
export const recordsByPath: Readonly<Record<string, Authored>> = {
  url: 'links',
  campaign: 'campaigns',
  channel: 'channels',
  pixel: 'pixels',
  overlay: 'overlays',
  splash: 'splash',
  qr: 'qr',
  bio: 'bio',
  file: 'files',
  domain: 'domains',
  webhook: 'webhooks',
  case: 'cases',
};

/**
 * Other path parameters that are record ids. Adding a link to a campaign or an item to a channel modifies the latter.
 */
const recordsByParam: Readonly<Record<string, Omit<NamedRecord, 'param'>>> = {
  campaignid: { resource: 'campaigns', changes: false },
  channelid: { resource: 'channels', changes: false },
  linkid: { resource: 'links', changes: true },
  itemid: { resource: { param: 'type' }, changes: true },
  bioid: { resource: 'bio', changes: true },
};

/** The permission that an endpoint requires; derived from its method and scope unless it is explicit. */
export function teamRuleOf(endpoint: Described): TeamRule {
  return { acts: endpoint.acts ?? derivedAction(endpoint), records: recordsOf(endpoint.path) };
}

function derivedAction({ path, access, scope, reads }: Described): ActsFor {
  // Instance administration does not act for any account.
  if (access !== 'user' || scope === 'account' || scope === 'users' || scope === 'settings') return 'person';
  if (reads) return 'see';
  if (scope === 'domains' || scope === 'webhooks') return 'manage';
  return /\/add$|^\/api\/files\/upload\//.test(path) ? 'create' : 'edit';
}

function recordsOf(path: string): NamedRecord[] {
  const [, , first = ''] = path.split('/');
  return [...path.matchAll(/:([a-z]+)/g)].flatMap(([, param = '']): NamedRecord[] => {
    const known = recordsByParam[param];
    if (known) return [{ param, ...known }];
    const resource = param === 'id' ? recordsByPath[first] : undefined;
    return resource === undefined ? [] : [{ param, resource, changes: true }];
  });
}
