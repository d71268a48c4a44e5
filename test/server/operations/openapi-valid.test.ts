import SwaggerParser from '@apidevtools/swagger-parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';

let server: TestApp;
let text: string;
beforeAll(async () => {
  server = await startApp();
  text = await (await fetch(`${server.origin}/api/openapi.json`)).text();
});
afterAll(() => server.close());

test('the document matches the published schema of OpenAPI 3.1', async () => {
  expect(await new Validator().validate(JSON.parse(text))).toMatchObject({ valid: true });
});

test('the document has no dangling reference, and no parameter that its path lacks', async () => {
  await expect(SwaggerParser.validate(JSON.parse(text))).resolves.toBeTruthy();
});

test('a linter finds no problem', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    // `/api/url/add` beside `/api/url/{id}`: an id is a number, so that no path can be read as both.
    rules: { 'no-ambiguous-paths': 'off' },
  });
  const found = await lintFromString({ source: text, config });
  expect(
    found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
  ).toEqual([]);
});
