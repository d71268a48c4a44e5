// The rules that the vendors publish for the files by which a domain names its apps, each with the page that says it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain } from '../../support/second-account.ts';
import { type Visited, visit } from '../../support/visits.ts';

const host = 'go.brand.example';
const fingerprint = Array.from({ length: 32 }, (_, index) => (index + 160).toString(16)).join(':');
const apps = {
  apple: [
    { id: 'ABCDE12345.com.example.app', paths: ['/app/*', '!/app/help', '/caf%C3%A9', '/$(lang)/?'] },
    { id: 'ABCDE12345.com.example.two' },
  ],
  android: [{ package: 'com.example.app', fingerprints: [fingerprint, fingerprint.toUpperCase()] }],
};
const apple = '/.well-known/apple-app-site-association';
const android = '/.well-known/assetlinks.json';

/** Directories of developer.apple.com/documentation and developers.google.com/digital-asset-links/v1. */
const associated = 'xcode/supporting-associated-domains';
const details = 'bundleresources/applinks/details-swift.dictionary';
const components = `${details}/components-swift.dictionary`;
const list = 'create-statement';
const syntax = 'statements';

type Rule = [rule: string, source: string, file: string, keeps: (answer: Visited) => boolean];
interface AppleApp {
  appIDs: string[];
  components: Record<string, string | boolean>[];
}
const appsIn = ({ body }: Visited): AppleApp[] => JSON.parse(body).applinks.details;
const patternsIn = (answer: Visited) => appsIn(answer).flatMap((app) => app.components);
const statementsIn = ({ body }: Visited) => JSON.parse(body) as Record<string, unknown>[];
const isJson = ({ headers }: Visited) => headers['content-type'] === 'application/json';
const isThere = ({ status, headers }: Visited) => status === 200 && headers.location === undefined;

const rules: Rule[] = [
  ['is answered with 200 and leads nowhere else', associated, apple, isThere],
  ['is JSON, by its type', associated, apple, isJson],
  ['has at most 128 KB', associated, apple, ({ body }) => Buffer.byteLength(body) <= 128 * 1024],
  [
    'names apps by prefix and bundle',
    details,
    apple,
    (answer) =>
      appsIn(answer).every(({ appIDs }) => appIDs.every((id) => /^[A-Z0-9]{10}\.[\w.-]+$/.test(id))),
  ],
  [
    'has no keys but those of a pattern',
    components,
    apple,
    (answer) =>
      patternsIn(answer).every((each) => Object.keys(each).every((key) => ['/', 'exclude'].includes(key))),
  ],
  [
    'says first what is excluded: the first pattern that fits decides',
    components,
    apple,
    (answer) => appsIn(answer)[0]?.components[0]?.exclude === true,
  ],
  [
    'has patterns in the encoding of addresses',
    components,
    apple,
    (answer) => patternsIn(answer).every((each) => /^\/[\x21-\x7e]*$/.test(String(each['/']))),
  ],
  [
    'keeps a percent sign, a variable and both wildcards as they were entered',
    components,
    apple,
    (answer) =>
      ['/caf%C3%A9', '/$(lang)/?', '/app/*'].every((path) =>
        patternsIn(answer).some((each) => each['/'] === path),
      ),
  ],
  ['is answered with 200 and leads nowhere else', list, android, isThere],
  ['is JSON, by its type', list, android, isJson],
  ['is a list of statements', syntax, android, (answer) => statementsIn(answer).length === 1],
  [
    'says that the app opens addresses',
    syntax,
    android,
    (answer) =>
      statementsIn(answer).every(
        ({ relation }) => String(relation) === 'delegate_permission/common.handle_all_urls',
      ),
  ],
  [
    'names the app by its package, and each certificate once, as 32 pairs in upper case with colons',
    syntax,
    android,
    (answer) =>
      statementsIn(answer).every(({ target }) => {
        const {
          namespace,
          package_name: name,
          sha256_cert_fingerprints: prints,
        } = target as Record<string, string[]>;
        return (
          String(namespace) === 'android_app' &&
          String(name) === 'com.example.app' &&
          prints?.length === 1 &&
          /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/.test(prints[0] ?? '')
        );
      }),
  ],
];

describe('the file of a domain’s apps', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startApp();
    const id = addDomain(server, host, 1);
    server.databases.main.prepare('UPDATE domains SET server_synced = 1').run();
    // Everything that could lead elsewhere does.
    const elsewhere = { redirectroot: 'https://brand.example/', redirect404: 'https://brand.example/lost' };
    const changed = await server.request('PUT', `/api/domain/${id}/update`, { body: { apps, ...elsewhere } });
    expect(changed.status).toBe(200);
  });
  afterAll(() => server.close());

  test.each(rules)('%s (%s)', async (_rule, _source, file, keeps) => {
    const answer = await visit(server, file, { headers: { Host: host } });
    expect(keeps(answer), answer.body).toBe(true);
  });
});
