// docs/comparison.md says what Waypost does beside others: each row of ours names where it is done, and that exists.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isCommand } from '../server/operations/commands/run.ts';
import { endpoints } from './support/endpoints.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Row {
  feature: string;
  mark: string;
  where: string;
  others: string[];
}

const rows = read('docs/comparison.md')
  .split('\n')
  .filter((line) => /^\| [^|]/.test(line) && !line.startsWith('| |'))
  .map((line): Row => {
    const [feature = '', mark = '', where = '', ...others] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { feature, mark, where, others };
  });

/** `GET /api/urls` of every endpoint, with its parameters in braces. */
const operations = new Set(
  endpoints.map(({ method, path }) => `${method} ${path.replace(/:([a-z]+)/g, '{$1}')}`),
);
const pages = new Set(
  [...read('renderer/frame/navigation.ts').matchAll(/name: '([a-z-]+)'/g)].map(([, name]) => name),
);

/** Fields that an endpoint takes, as `with` and their names behind it. */
const fieldsBehind = / with ((?:`[A-Za-z0-9]+`(?:, )?)+)/;
/** What the other code spans of a cell name: an endpoint, a command, a page of the app, or a file. */
const named = ({ where }: Row) => [
  ...where.replaceAll(new RegExp(fieldsBehind, 'g'), '').matchAll(/(page )?`([^`]+)`/g),
];

/** The names of all fields that an endpoint takes in its body and query, also inside of others. */
function fieldsOf(operation: string): Set<string> {
  const endpoint = endpoints.find(
    ({ method, path }) => `${method} ${path.replace(/:([a-z]+)/g, '{$1}')}` === operation,
  );
  const schemas = [endpoint?.body, endpoint?.query].flatMap((schema) =>
    schema instanceof z.ZodType ? [z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })] : [],
  );
  return new Set(propertiesIn(schemas));
}

function propertiesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return [...own, ...Object.values(schema).flatMap(propertiesIn)];
}

function exists([, page, name = '']: RegExpMatchArray): boolean {
  if (page) return pages.has(name);
  if (/^[A-Z]+ \/api\//.test(name)) return operations.has(name);
  if (name.startsWith('waypost ')) return isCommand(name.split(' ')[1]);
  return existsSync(join(root, name));
}

describe('the comparison with other link managers', () => {
  test('has a row for each feature, and each product has a mark in it', () => {
    expect(rows.length).toBeGreaterThan(80);
    expect(new Set(rows.map(({ feature }) => feature)).size).toBe(rows.length);
    expect(rows.filter(({ mark }) => !/^[●◐○]$/.test(mark))).toEqual([]);
    expect(
      rows.filter(({ others }) => others.length !== 13 || !/^[●◐○?–]{13}$/.test(others.join(''))),
    ).toEqual([]);
  });

  test('names existing places for what is done', () => {
    const there = rows.filter(({ mark }) => mark !== '○');
    expect(there.filter((row) => named(row).length === 0)).toEqual([]);
    expect(
      there.flatMap((row) =>
        named(row).flatMap((match) => (exists(match) ? [] : [`${row.feature}: ${match[0]}`])),
      ),
    ).toEqual([]);
  });

  test('names fields that the endpoint accepts', () => {
    const cells = rows.flatMap(({ feature, where }) =>
      [...where.matchAll(new RegExp(`\`([A-Z]+ /api/[^\`]+)\`${fieldsBehind.source}`, 'g'))].map(
        ([, operation = '', names = '']) => ({ feature, operation, names: names.match(/\w+/g) ?? [] }),
      ),
    );
    expect(cells.length).toBeGreaterThan(30);
    expect(
      cells.flatMap(({ feature, operation, names }) =>
        names.filter((name) => !fieldsOf(operation).has(name)).map((name) => `${feature}: ${name}`),
      ),
    ).toEqual([]);
  });

  test('links each feature to its page of the user guide', () => {
    const unlinked = rows.filter(
      ({ mark, feature }) => mark === '●' && !/\]\((user-guide\/|operating)/.test(feature),
    );
    expect(unlinked).toEqual([]);
  });

  test('says what is missing wherever a feature is incomplete', () => {
    const silent = rows.filter(
      ({ mark, where }) => mark !== '●' && where.replaceAll(/`[^`]*`/g, '').length < 5,
    );
    expect(silent).toEqual([]);
  });
});
