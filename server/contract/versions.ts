import { z } from 'zod';
import { acknowledged, alwaysSent } from './envelope.ts';
import { type AuthoredResource, recordsByPath } from './roles.ts';

/** How often a record was edited, counted from 1: what an update says that it was made from (decision 0070). */
export const versioned = { version: alwaysSent(z.number().int()) };

/** The reply of an update that has nothing else to say than the record's new version. */
export const edited = z.object({ ...acknowledged.shape, ...versioned });

/** The kinds of records that are edited. An account is a person's or a team's. */
export type EditedResource =
  | AuthoredResource
  | 'cases'
  | 'keys'
  | 'passkeys'
  | 'plans'
  | 'accounts'
  | 'members'
  | 'utms';

/** The record that an endpoint edits: its kind, and the parameters that tell which; none for the account that acts. */
export interface EditedRecord {
  resource: EditedResource;
  params: readonly string[];
}

/** Records that a path names by other words than those of `recordsByPath`. */
const others: Readonly<Record<string, EditedRecord>> = {
  '/api/account/update': { resource: 'accounts', params: [] },
  '/api/account/passkey/:id/update': { resource: 'passkeys', params: ['id'] },
  '/api/user/:id/update': { resource: 'accounts', params: ['id'] },
  '/api/team/:id/update': { resource: 'accounts', params: ['id'] },
  '/api/team/:id/member/:userid/update': { resource: 'members', params: ['id', 'userid'] },
  '/api/key/:id/update': { resource: 'keys', params: ['id'] },
  '/api/utm/:id/update': { resource: 'utms', params: ['id'] },
  '/api/plan/:id/update': { resource: 'plans', params: ['id'] },
};

/** The record that an endpoint edits, so that its version is looked at; undefined for every endpoint but updates. */
export function editedRecordOf({ method, path }: { method: string; path: string }): EditedRecord | undefined {
  if (method !== 'PUT') return undefined;
  const [, word = ''] = /^\/api\/([a-z]+)\/:id\/(?:update|order)$/.exec(path) ?? [];
  const resource = recordsByPath[word];
  return resource === undefined ? others[path] : { resource, params: ['id'] };
}
