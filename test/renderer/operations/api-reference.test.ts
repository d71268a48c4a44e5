import { describe, expect, it } from 'vitest';
import { curlSample } from '../../../renderer/operations/api-reference/curl-sample.ts';
import { messages } from '../../../renderer/operations/api-reference/messages.ts';
import { type OpenApi, operationGroups } from '../../../renderer/operations/api-reference/openapi.ts';
import { schemaRows, typeName } from '../../../renderer/operations/api-reference/schema-rows.ts';
import { endpoints } from '../../support/endpoints.ts';

const document: OpenApi = {
  openapi: '3.1.0',
  paths: {
    '/api/url/add': {
      post: {
        summary: 'Shorten a destination.',
        tags: ['links'],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['url'],
                properties: {
                  url: { type: 'string', minLength: 1, maxLength: 8192 },
                  expiry: { anyOf: [{ type: 'string' }, { type: 'null' }] },
                  rules: { type: 'array', items: { $ref: '#/components/schemas/Rule' } },
                },
              },
            },
          },
        },
        responses: { '200': { content: { 'application/json': { schema: { type: 'object' } } } } },
      },
    },
    '/api/url/{id}': {
      get: {
        summary: 'One link.',
        tags: ['links'],
        parameters: [{ name: 'id', in: 'path', required: true }],
      },
    },
    '/api/health': { get: { summary: 'Alive?', security: [] } },
  },
  components: {
    schemas: {
      Rule: {
        type: 'object',
        required: ['link'],
        properties: { link: { type: 'string' }, op: { enum: ['is', "isn't"], default: 'is' } },
      },
    },
  },
};

describe('the API reference', () => {
  it('has a title for each group of our own endpoints', () => {
    const paths = endpoints.map(({ method, path }) => [path, { [method.toLowerCase()]: {} }]);
    const groups = operationGroups({ openapi: '3.1.0', paths: Object.fromEntries(paths) });
    expect(groups.length).toBeGreaterThan(15);
    const titles = Object.keys(messages.en.apiReference.groups);
    expect(groups.map(({ name }) => name).filter((name) => !titles.includes(name))).toEqual([]);
  });

  it('groups the endpoints by subject', () => {
    expect(
      operationGroups(document).map((group) => [group.name, group.operations.map((one) => one.id)]),
    ).toEqual([
      ['links', ['post-api-url-add', 'get-api-url-id']],
      ['instance', ['get-api-health']],
    ]);
  });

  it('expands a schema with its types, limits and required fields', () => {
    const body = operationGroups(document)[0]?.operations[0]?.body;
    expect(
      schemaRows(body ?? {}, document).map(({ path, type, required, limits }) => [
        path,
        type,
        required,
        limits,
      ]),
    ).toEqual([
      ['url', 'string', true, '1 to 8192 characters'],
      ['expiry', 'string or null', false, ''],
      ['rules', 'object[]', false, ''],
      ['rules.link', 'string', true, ''],
      ['rules.op', 'string', false, 'is, isn\'t · default "is"'],
    ]);
  });

  it('merges several shapes into one, with what each requires', () => {
    const message = { type: { const: 'message' }, name: { type: 'string' }, text: { type: 'string' } };
    const poll = { type: { const: 'poll' }, name: { type: 'string' }, question: { type: 'string' } };
    const shapes = {
      oneOf: [
        { type: 'object', properties: message, required: ['type', 'text'] },
        { type: 'object', properties: poll, required: ['type', 'question'] },
      ],
    };
    expect(
      schemaRows(shapes, document).map(({ path, required, limits }) => [path, required, limits]),
    ).toEqual([
      ['type', true, 'message, poll'],
      ['name', false, ''],
      ['text', false, ''],
      ['question', false, ''],
    ]);
  });

  it('stops at a schema that contains itself', () => {
    const self: OpenApi = {
      openapi: '3.1.0',
      components: {
        schemas: { Node: { type: 'object', properties: { child: { $ref: '#/components/schemas/Node' } } } },
      },
    };
    expect(schemaRows({ $ref: '#/components/schemas/Node' }, self).length).toBeLessThan(10);
    expect(typeName({ $ref: '#/components/schemas/Node' }, self)).toBe('object');
  });

  it('shows a command that a shell accepts unchanged', () => {
    const [add, one] = operationGroups(document)[0]?.operations ?? [];
    const [health] = operationGroups(document)[1]?.operations ?? [];
    if (!add || !one || !health) throw new Error('The document above has these three.');
    expect(curlSample(add, document, 'http://127.0.0.1:8420')).toBe(
      [
        'curl -X POST http://127.0.0.1:8420/api/url/add',
        '-H "Authorization: Bearer $WAYPOST_KEY"',
        '-H "Content-Type: application/json"',
        `-d '{"url":"https://example.com/"}'`,
      ].join(' \\\n  '),
    );
    expect(curlSample(one, document, 'http://h')).toContain('curl http://h/api/url/1 ');
    expect(curlSample(health, document, 'http://h')).toBe('curl http://h/api/health');
  });
});
