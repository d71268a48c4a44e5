import { type ScopeResource, scopeResources } from '../../../server/contract/endpoint.ts';
import { type KeyScopes, keyScopes } from '../../../server/contract/keys.ts';

/** What a key may do with one kind of thing; writing includes reading. */
export type Access = 'none' | 'read' | 'write';
export type ScopeTable = Record<ScopeResource, Access>;

/** `full`: everything, also what comes later. */
export type KeyReach = 'full' | 'read' | 'custom';

/** The same access to everything. */
export function evenTable(access: Access): ScopeTable {
  return Object.fromEntries(scopeResources.map((resource) => [resource, access])) as ScopeTable;
}

/** The table of the scopes that a key has; unknown ones of newer servers are left out. */
export function tableOf(scopes: 'full' | readonly string[]): ScopeTable {
  if (scopes === 'full') return evenTable('write');
  const table = evenTable('none');
  for (const resource of scopeResources) {
    if (scopes.includes(`${resource}:write`)) table[resource] = 'write';
    else if (scopes.includes(`${resource}:read`)) table[resource] = 'read';
  }
  return table;
}

/** The scopes as the wire has them; undefined where nothing is chosen. */
export function scopesOf(reach: KeyReach, table: ScopeTable): KeyScopes | undefined {
  if (reach === 'full') return 'full';
  const chosen = reach === 'read' ? evenTable('read') : table;
  const scopes = scopeResources.flatMap((resource) =>
    chosen[resource] === 'none' ? [] : [`${resource}:${chosen[resource]}`],
  );
  const parsed = keyScopes.safeParse(scopes);
  return parsed.success ? parsed.data : undefined;
}

/** Which of the three ways of choosing says what a key may do. */
export function reachOf(scopes: 'full' | readonly string[]): KeyReach {
  if (scopes === 'full') return 'full';
  const table = tableOf(scopes);
  return scopeResources.every((resource) => table[resource] === 'read') ? 'read' : 'custom';
}
