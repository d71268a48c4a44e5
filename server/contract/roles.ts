/** The roles in a team, in ascending order. In a personal account, its person is the owner. */
export const roles = ['viewer', 'contributor', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/**
 * What is done in an account: `see` it; `create` a record; `edit` one, which includes deleting, bulk changes, import,
 * export and undo; `manage` members, domains, webhooks and settings; `own` it, which is to transfer or delete it.
 */
export type Action = 'see' | 'create' | 'edit' | 'manage' | 'own';

/** Who may do what in a team; `own` is with what they created themselves. */
export const powers: Readonly<Record<Role, Readonly<Record<Action, boolean | 'own'>>>> = {
  viewer: { see: true, create: false, edit: false, manage: false, own: false },
  contributor: { see: true, create: true, edit: 'own', manage: false, own: false },
  editor: { see: true, create: true, edit: true, manage: false, own: false },
  admin: { see: true, create: true, edit: true, manage: true, own: false },
  owner: { see: true, create: true, edit: true, manage: true, own: true },
};

/** Whether a role's power reaches a record. Who created it is asked only where that matters. */
export function reaches(power: boolean | 'own', isOwn: () => boolean): boolean {
  return power === 'own' ? isOwn() : power;
}

/** The roles that can be limited to their own records. */
export const limitedRoles: readonly Role[] = ['viewer', 'contributor'];

/** The kinds of records that an account has, each with its creator. */
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
/** What has a creator: a record, or a saved case of the simulator, which is its link's. */
export type Authored = AuthoredResource | 'cases';

/**
 * For whom an endpoint works: for the account that acts, by the member's role there; for the `person` who asks,
 * whatever the account (a key of a team is refused); or for the `member`: the person, who names a team in the path or
 * the body.
 */
export type ActsFor = Action | 'person' | 'member';

/** A record that a path names: the parameter with its id, and its kind, or the parameter that says the kind. */
export interface NamedRecord {
  param: string;
  resource: Authored | { param: string };
  /** Whether a contributor needs to have created it; what is only grouped with something needs to be seen. */
  changes: boolean;
}

export interface TeamRule {
  acts: ActsFor;
  records: readonly NamedRecord[];
}

/** The part of an endpoint that its rule follows from. */
interface Described {
  method: string;
  path: string;
  access: string;
  scope?: string;
  reads: boolean;
  acts?: ActsFor;
}

/** The record that `:id` is, by the first word of the path. */
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
 * Other parameters that are ids of records. A link is put into a campaign, an item into a channel: that changes these.
 */
const recordsByParam: Readonly<Record<string, Omit<NamedRecord, 'param'>>> = {
  campaignid: { resource: 'campaigns', changes: false },
  channelid: { resource: 'channels', changes: false },
  linkid: { resource: 'links', changes: true },
  itemid: { resource: { param: 'type' }, changes: true },
  bioid: { resource: 'bio', changes: true },
};

/** What an endpoint asks of a member: derived from its method and resource unless it says otherwise. */
export function teamRuleOf(endpoint: Described): TeamRule {
  return { acts: endpoint.acts ?? derivedAction(endpoint), records: recordsOf(endpoint.path) };
}

function derivedAction({ path, access, scope, reads }: Described): ActsFor {
  // What administrators do with the instance is done in no account.
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
