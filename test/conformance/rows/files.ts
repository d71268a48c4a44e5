import { type Section, testsOf } from '../section.ts';

const here = testsOf('test/conformance/files.test.ts');
const uploads = testsOf('test/server/content/uploads.test.ts');
const downloads = testsOf('test/server/content/downloads.test.ts');
const variants = testsOf('test/conformance/variants.test.ts');
const published = here('shows the published fields of a file');
const topLevel = here('answers the figures and the list at the top level, without data');

export const section: Section = {
  name: 'Files',
  closed: true,
  rows: [
    { id: 'file.id', rule: 'id is an integer', tests: published },
    {
      id: 'file.name',
      rule: 'name is a text: what lists show',
      tests: [...published, ...here('name: is what lists show; without it the file name is')],
    },
    {
      id: 'file.downloads',
      rule: 'downloads is an integer: how often the file was downloaded',
      tests: [
        ...here('downloads goes up by one for each download'),
        ...downloads('counts once a GET, and not for HEAD, ranges and the page about the file'),
      ],
    },
    {
      id: 'file.shorturl',
      rule: 'shorturl is the address of the download',
      tests: here(
        'takes a body that calls itself %s as it is',
        'shows the published fields of a file',
        'takes the raw body and answers error, id and shorturl, and nothing else',
      ),
    },
    {
      id: 'file.date',
      rule: 'date is a timestamp',
      tests: [...published, ...here('date is in the time zone of the account')],
    },
    {
      id: 'files.list',
      rule: 'GET /api/files has its figures and its array list at the top level, without data',
      tests: topLevel,
    },
    {
      id: 'files.list.error',
      rule: 'error of the list is 0 (clients also accept the text "0", and the published fields alone)',
      tests: [...topLevel, ...variants('of a list of files is a success to our client')],
    },
    {
      id: 'files.list.name',
      rule: 'name searches by name',
      tests: here('name: searches without regard to case or composition, wildcards as they are'),
    },
    {
      id: 'files.list.paging',
      rule: 'limit and page choose the page',
      tests: here(
        'answers the figures and the list at the top level, without data',
        'limit and page: are clamped, and what is no whole number is refused',
        'page: goes on where the page before ended',
      ),
    },
    {
      id: 'files.list.order',
      rule: 'Ours: the list is newest first and has the files of the account alone',
      tests: here('is newest first', 'shows nothing of other accounts'),
    },
    {
      id: 'files.upload',
      rule: 'POST /api/files/upload/:filename takes the raw bytes and answers error, id and shorturl',
      tests: [
        ...here(
          'takes the raw body and answers error, id and shorturl, and nothing else',
          'takes a body that calls itself %s as it is',
        ),
        ...uploads('comes back byte for byte'),
      ],
    },
    {
      id: 'files.upload.filename',
      rule: ':filename is the name of the file including its extension',
      tests: [
        ...here('name: is what lists show; without it the file name is'),
        ...uploads(
          'takes $as',
          'refuses $as',
          'a path of several segments is not an address of the interface',
        ),
      ],
    },
    {
      id: 'files.upload.optional',
      rule: 'All query parameters of the upload are optional',
      tests: here('no parameter at all, or an empty one, is the same'),
    },
    {
      id: 'files.upload.name',
      rule: 'name is a text',
      tests: here('name: is what lists show; without it the file name is'),
    },
    {
      id: 'files.upload.custom',
      rule: 'custom is the alias in place of a random one',
      tests: here('custom: is the alias, by the rules of links', 'the same alias is free on another domain'),
    },
    {
      id: 'files.upload.domain',
      rule: 'domain is a custom domain',
      tests: here("domain: is one's own by id, name or address; another's is like none"),
    },
    {
      id: 'files.upload.password',
      rule: 'password protects the download',
      tests: [
        ...here('password: protects the download'),
        ...downloads('is asked for on a page, and remembered for ten minutes on that path alone'),
      ],
    },
    {
      id: 'files.upload.expiry',
      rule: 'expiry (YYYY-MM-DD) ends the download; ours: with that day in the time zone of the account',
      tests: [...here('expiry: is a date from today on'), ...downloads('is the end of that day in %s')],
    },
    {
      id: 'files.upload.maxdownloads',
      rule: 'maxdownloads is an integer: the maximum number of downloads',
      tests: [
        ...here('maxdownloads: is a whole number from 1 on'),
        ...downloads('of five lets exactly five of two hundred at once through'),
      ],
    },
    {
      id: 'files.upload.size',
      rule: 'The maximum upload size is not shown; ours: a setting, 100 MB by default',
      tests: [
        ...uploads('a file of exactly the limit is taken, one byte more is not'),
        ...here('the default limit is 100 MB, and the setting changes it at once'),
      ],
    },
    {
      id: 'files.authentication',
      rule: 'Every files endpoint needs a key',
      tests: here(
        'needs a key, and says nothing about the file without one',
        'a key needs the scope files:read or files:write',
        'every files endpoint refuses a request without a key: %s %s',
      ),
    },
    {
      id: 'files.rate',
      rule: 'The rate headers are on every response',
      tests: here('the rate headers are on every answer of the files endpoints'),
    },
    {
      id: 'files.plan',
      rule: 'Alias and password are gates of the plan, and so is the number of files',
      tests: here(
        'alias and password are gates of their own, before anything is looked up',
        'the number of files is bounded, for uploads at the same time too',
      ),
    },
    {
      id: 'files.one',
      rule: 'Ours: one file is read, changed and deleted under /api/file/:id',
      tests: here(
        'GET answers it under data',
        'PUT changes what is sent and keeps the rest',
        'DELETE removes it for good',
      ),
    },
  ],
};
