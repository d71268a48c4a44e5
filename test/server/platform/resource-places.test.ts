import { describe, expect, test } from 'vitest';
import { parameterNames } from '../../../server/contract/endpoint.ts';
import { authoredResources, teamRuleOf } from '../../../server/contract/roles.ts';
import { openInMemory } from '../../../server/platform/database/connect.ts';
import { authoredTables } from '../../../server/platform/database/edited-tables.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import { endpoints } from '../../support/endpoints.ts';

// Places where a resource has to be named and the compiler cannot miss it (docs/adding-a-resource.md).

describe('roles in a team', () => {
  /**
   * Undoes a change, whose records are found in the change; templates are the account's, whoever wrote them; a bulk
   * action asks for each of its links.
   */
  const withoutRecord = [
    ...['/api/undo/:id', '/api/utm/:id/update', '/api/utm/:id/delete'],
    ...['/api/urls/bulk/:id', '/api/urls/bulk/:id/cancel'],
  ];
  const named = endpoints.filter(
    ({ path, params, scope }) =>
      parameterNames(path).some((name) => !(name in params)) &&
      authoredResources.some((resource) => resource === scope) &&
      !withoutRecord.includes(path),
  );

  test.each(named.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'know the record of %s',
    (_, endpoint) => {
      expect(teamRuleOf(endpoint).records).not.toEqual([]);
    },
  );
});

test('no table of records ever uses an id again: the trash, the history and clients refer to it', () => {
  const database = openInMemory(migrations);
  const schema = database.prepare<[string], string>('SELECT sql FROM sqlite_schema WHERE name = ?').pluck();
  const reused = Object.values(authoredTables).filter(
    ({ table }) => !/AUTOINCREMENT/.test(schema.get(table) ?? ''),
  );
  database.close();
  expect(reused.map(({ table }) => table)).toEqual([]);
});
