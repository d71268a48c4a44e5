import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import createClient from 'openapi-fetch';
import openapiTypes, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { administrator, startApp, type TestApp } from '../../support/app.ts';
import { authenticator } from '../../support/authenticator.ts';
import { identityProvider } from '../../support/identity-provider.ts';
import {
  findOperation,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  replyChecker,
} from '../../support/openapi.ts';
import { addDomain } from '../../support/second-account.ts';
import { totpCode } from '../../support/totp.ts';

/*
 * A client of another make: typed by what `openapi-typescript` makes of the document, compiled with every strict
 * option, calling every operation of the real app. Whatever is answered is compared with the document.
 */
const source = join(import.meta.dirname, '../../openapi-client/every-operation.ts');

let server: TestApp;
let document: OpenApiDocument;
let folder: string;
beforeAll(async () => {
  server = await startApp({
    geolocation: null,
    fresh: true,
    ratelimit: 100_000,
    settings: { allowedPrivateRanges: ['127.0.0.0/8', '::1/128'] },
  });
  document = (await server.request('GET', '/api/openapi.json', { key: null })).body;
  folder = mkdtempSync(join(tmpdir(), 'waypost-openapi-'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Compiling takes both cores for some seconds; on a busy machine that is minutes. */
const timeout = 240_000;

test('a third-party client, strictly typed by the document, compiles', {
  tags: 'long',
  timeout,
}, async () => {
  const types = join(folder, 'openapi-paths.d.ts');
  writeFileSync(types, astToString(await openapiTypes(JSON.stringify(document))));
  const program = ts.createProgram([source], {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    paths: { 'openapi-paths': [types] },
  });
  const problems = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName.split('/').at(-1)}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
  expect(problems).toEqual([]);
});

test('that client calls every operation, and all replies match the document', {
  tags: 'long',
  timeout,
}, async () => {
  const operations = operationsOf(document);
  const checker = replyChecker(document);
  const left = new Map(operations.map((operation) => [operation.operationId, operation]));
  const unanswered = new Map(left);
  const problems: string[] = [];

  /** Sends a request of the client, and looks at the reply before the client does. */
  async function send(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const response = await fetch(request);
    const operation = findOperation(operations, request.method, pathname) as Operation;
    left.delete(operation.operationId);
    if (response.ok) unanswered.delete(operation.operationId);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const text = isStream ? '' : await response.clone().text();
    const found = checker.problemsOf(operation, { status: response.status, headers: response.headers, text });
    problems.push(...found.map((problem) => `${operation.operationId}: ${problem}`));
    return response;
  }

  let key = '';
  const api = createClient({ baseUrl: server.origin, fetch: send });
  api.use({
    onRequest({ request }) {
      if (key !== '' && !request.headers.has('authorization')) {
        request.headers.set('authorization', `Bearer ${key}`);
      }
      return request;
    },
  });
  // Its types exist only in the folder that the first test writes.
  const provider = await identityProvider('waypost', 'client secret');
  onTestFinished(provider.close);
  const client = await import(/* @vite-ignore */ source);
  const surroundings = {
    password: administrator.password,
    setupCode: 'SETUPCODE',
    domainId: 0,
    codeOf: (secret: string) => totpCode(secret, server.clock.now()),
    passkey: authenticator(server.origin),
    provider,
    visit: (address: string) => fetch(address, { redirect: 'manual' }),
    wait: () => server.clock.advance(60_000),
  };
  key = await client.setUp(api, surroundings);
  const domainId = addDomain(server, 'links.example.com', 1);
  await client.callEveryOperation(api, { ...surroundings, domainId });

  expect(problems).toEqual([]);
  expect([...left.keys()]).toEqual([]);
  // Refused on purpose: they would end the test's own instance or key, or need a mail server, a database, or what this
  // machine has not.
  expect([...unanswered.keys()].sort()).toEqual([
    'delete-bio-bioid-message-messageid-delete',
    'delete-fleet-edge-id-delete',
    'post-account-api-regenerate',
    'post-auth-password-forgot',
    'post-auth-password-reset',
    'post-backup-id-cancel',
    'post-backup-restore',
    'post-domain-add',
    'post-fleet-edge-add',
    'post-fleet-test',
    'post-mail-test',
    'post-places-upload',
    'post-setup-backup',
    'post-setup-restore',
    'post-urls-bulk-id-cancel',
    'post-webhook-id-redeliver-deliveryid',
    'put-fleet-update',
  ]);
});
