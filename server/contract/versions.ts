import { z } from 'zod';
import { acknowledged, alwaysSent } from './envelope.ts';
import { type AuthoredResource, recordsByPath } from './roles.ts';

/** A record's revision, starting at 1; updates send the one they are based on (decision 0070). */
export const versioned = { version: alwaysSent(z.number().int()) };

/** The reply of an update that only returns the record's new version. */
export const edited = z.object({ ...acknowledged.shape, ...versioned });

/** Kinds of versioned records. An account belongs to a user or a team. */
export type EditedResource =
  | AuthoredResource
  | 'cases'
  | 'keys'
  | 'passkeys'
  | 'plans'
  | 'accounts'
  | 'members'
  | 'utms';

/** The record that an endpoint updates: its kind, and the parameters that identify it; none for the acting account. */
export interface EditedRecord {
  resource: EditedResource;
  params: readonly string[];
}

/** Records whose path is not in `recordsByPath`. */
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

/** The record that an endpoint updates, for the version check; undefined for all endpoints but updates. */
export function editedRecordOf({ method, path }: { method: string; path: string }): EditedRecord | undefined {
  if (method !== 'PUT') return undefined;
  const [, word = ''] = /^\/api\/([a-z]+)\/:id\/(?:update|order)$/.exec(path) ?? [];
  const resource = recordsByPath[word];
  return resource === undefined ? others[path] : { resource, params: ['id'] };
}
