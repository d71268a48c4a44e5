import { type ScopeResource, scopeResources } from '../../../server/contract/endpoint.ts';
import { type KeyScopes, keyScopes } from '../../../server/contract/keys.ts';

/** Access of a key to a resource; `write` includes `read`. */
export type Access = 'none' | 'read' | 'write';
export type ScopeTable = Record<ScopeResource, Access>;

/** `full`: everything, including future resources. */
export type KeyReach = 'full' | 'read' | 'custom';

/** A table with the same access to all resources. */
export function evenTable(access: Access): ScopeTable {
  return Object.fromEntries(scopeResources.map((resource) => [resource, access])) as ScopeTable;
}

/** The table of a key's scopes; unknown scopes of newer servers are left out. */
export function tableOf(scopes: 'full' | readonly string[]): ScopeTable {
  if (scopes === 'full') return evenTable('write');
  const table = evenTable('none');
  for (const resource of scopeResources) {
    if (scopes.includes(`${resource}:write`)) table[resource] = 'write';
    else if (scopes.includes(`${resource}:read`)) table[resource] = 'read';
  }
  return table;
}

/** The scopes in API format; undefined if none are selected. */
export function scopesOf(reach: KeyReach, table: ScopeTable): KeyScopes | undefined {
  if (reach === 'full') return 'full';
  const chosen = reach === 'read' ? evenTable('read') : table;
  const scopes = scopeResources.flatMap((resource) =>
    chosen[resource] === 'none' ? [] : [`${resource}:${chosen[resource]}`],
  );
  const parsed = keyScopes.safeParse(scopes);
  return parsed.success ? parsed.data : undefined;
}

/** The selection mode that represents a key's scopes. */
export function reachOf(scopes: 'full' | readonly string[]): KeyReach {
  if (scopes === 'full') return 'full';
  const table = tableOf(scopes);
  return scopeResources.every((resource) => table[resource] === 'read') ? 'read' : 'custom';
}
