import { describe, expect, it } from 'vitest';
import { evenTable, reachOf, scopesOf, tableOf } from '../../../renderer/identity/keys/key-scopes.ts';

describe('the scopes of a key', () => {
  it('are read-only with one choice', () => {
    const scopes = scopesOf('read', evenTable('none'));
    expect(scopes).toContain('links:read');
    expect(scopes).not.toContain('links:write');
    expect(reachOf(scopes ?? [])).toBe('read');
  });

  it('survive a round trip', () => {
    const table = { ...evenTable('none'), links: 'write' as const, stats: 'read' as const };
    const scopes = scopesOf('custom', table);
    expect(scopes).toEqual(['links:write', 'stats:read']);
    expect(tableOf(scopes ?? [])).toEqual(table);
    expect(reachOf(scopes ?? [])).toBe('custom');
  });

  it('are empty if nothing is selected', () => {
    expect(scopesOf('custom', evenTable('none'))).toBeUndefined();
    expect(scopesOf('full', evenTable('none'))).toBe('full');
  });
});
