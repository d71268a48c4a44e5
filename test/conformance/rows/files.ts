import { type Section, testsOf } from '../section.ts';

const here = testsOf('test/conformance/files.test.ts');
const uploads = testsOf('test/server/content/uploads.test.ts');
const downloads = testsOf('test/server/content/downloads.test.ts');
const variants = testsOf('test/conformance/variants.test.ts');
const published = here('shows the published fields of a file');
const topLevel = here('has the totals and the list at the top level, without data');

export const section: Section = {
  name: 'Files',
  closed: true,
  rows: [
    { id: 'file.id', rule: 'id is an integer', tests: published },
    {
      id: 'file.name',
      rule: 'name is a text: what lists show',
      tests: [...published, ...here('name: is shown in lists and defaults to the file name')],
    },
    {
      id: 'file.downloads',
      rule: 'downloads is an integer: how often the file was downloaded',
      tests: [
        ...here('downloads increases by one with each download'),
        ...downloads("is counted once per GET, and not for HEAD, ranges and the file's page"),
      ],
    },
    {
      id: 'file.shorturl',
      rule: 'shorturl is the address of the download',
      tests: here(
        'accepts a body with the content type %s unchanged',
        'shows the published fields of a file',
        'accepts the raw body and returns error, id and shorturl, and nothing else',
      ),
    },
    {
      id: 'file.date',
      rule: 'date is a timestamp',
      tests: [...published, ...here("date is in the account's time zone")],
    },
    {
      id: 'files.list',
      rule: 'GET /api/files has its figures and its array list at the top level, without data',
      tests: topLevel,
    },
    {
      id: 'files.list.error',
      rule: 'error of the list is 0 (clients also accept the text "0", and the published fields alone)',
      tests: [...topLevel, ...variants('of a list of files is a success for our client')],
    },
    {
      id: 'files.list.name',
      rule: 'name searches by name',
      tests: here('name: searches regardless of case and composition, with literal wildcards'),
    },
    {
      id: 'files.list.paging',
      rule: 'limit and page choose the page',
      tests: here(
        'has the totals and the list at the top level, without data',
        'limit and page: are clamped, and only whole numbers are accepted',
        'page: continues where the previous page ended',
      ),
    },
    {
      id: 'files.list.order',
      rule: 'Ours: the list is newest first and has the files of the account alone',
      tests: here('is sorted newest first', 'shows nothing from other accounts'),
    },
    {
      id: 'files.upload',
      rule: 'POST /api/files/upload/:filename takes the raw bytes and answers error, id and shorturl',
      tests: [
        ...here(
          'accepts the raw body and returns error, id and shorturl, and nothing else',
          'accepts a body with the content type %s unchanged',
        ),
        ...uploads('is returned byte for byte'),
      ],
    },
    {
      id: 'files.upload.filename',
      rule: ':filename is the name of the file including its extension',
      tests: [
        ...here('name: is shown in lists and defaults to the file name'),
        ...uploads('takes $as', 'refuses $as', 'a path of several segments is not an API endpoint'),
      ],
    },
    {
      id: 'files.upload.optional',
      rule: 'All query parameters of the upload are optional',
      tests: here('omitted and empty parameters are equivalent'),
    },
    {
      id: 'files.upload.name',
      rule: 'name is a text',
      tests: here('name: is shown in lists and defaults to the file name'),
    },
    {
      id: 'files.upload.custom',
      rule: 'custom is the alias in place of a random one',
      tests: here(
        'custom: is the alias, with the same rules as for links',
        'the same alias is free on another domain',
      ),
    },
    {
      id: 'files.upload.domain',
      rule: 'domain is a custom domain',
      tests: here("domain: is one's own by id, name or URL; another account's does not exist"),
    },
    {
      id: 'files.upload.password',
      rule: 'password protects the download',
      tests: [
        ...here('password: protects the download'),
        ...downloads('is asked for on a page, and remembered for ten minutes for that path only'),
      ],
    },
    {
      id: 'files.upload.expiry',
      rule: 'expiry (YYYY-MM-DD) ends the download; ours: with that day in the time zone of the account',
      tests: [...here('expiry: is a date, today or later'), ...downloads('is the end of that day in %s')],
    },
    {
      id: 'files.upload.maxdownloads',
      rule: 'maxdownloads is an integer: the maximum number of downloads',
      tests: [
        ...here('maxdownloads: is a positive whole number'),
        ...downloads('of five allows exactly five of two hundred simultaneous downloads'),
      ],
    },
    {
      id: 'files.upload.size',
      rule: 'The maximum upload size is not shown; ours: a setting, 100 MB by default',
      tests: [
        ...uploads('a file of exactly the limit is accepted, one byte more is not'),
        ...here('the default limit is 100 MB, and the setting takes effect immediately'),
      ],
    },
    {
      id: 'files.authentication',
      rule: 'Every files endpoint needs a key',
      tests: here(
        'requires a key, and reveals nothing about the file without one',
        'a key needs the scope files:read or files:write',
        'every files endpoint refuses a request without a key: %s %s',
      ),
    },
    {
      id: 'files.rate',
      rule: 'The rate headers are on every response',
      tests: here('all replies of the files endpoints have the rate limit headers'),
    },
    {
      id: 'files.plan',
      rule: 'Alias and password are gates of the plan, and so is the number of files',
      tests: here(
        'alias and password have their own permissions, which are checked first',
        'the number of files is limited, even for simultaneous uploads',
      ),
    },
    {
      id: 'files.one',
      rule: 'Ours: one file is read, changed and deleted under /api/file/:id',
      tests: here(
        'GET returns it under data',
        'PUT changes what is sent and keeps the rest',
        'DELETE removes it permanently',
      ),
    },
  ],
};
