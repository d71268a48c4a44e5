import { type Section, testsOf } from '../section.ts';

const here = testsOf('test/server/content/bio.test.ts');
const removed = testsOf('test/server/platform/page-trash.test.ts');
const visits = testsOf('test/server/visits/bio-visits.test.ts');

export const section: Section = {
  name: 'Bio pages',
  closed: true,
  rows: [
    {
      id: 'bio.endpoints',
      rule: 'Ours: bio pages are added, read, changed in part and deleted',
      tests: here('is created with its address, read, updated in part and deleted'),
    },
    {
      id: 'bio.list',
      rule: 'Ours: GET /api/bio is the envelope with bios, newest first',
      tests: here('is listed newest first under the key bios, and searched by name, title and alias'),
    },
    {
      id: 'bio.alias',
      rule: 'Ours: an alias is unique per domain over links, files and bio pages',
      tests: here(
        'shares its namespace with links and files, per domain',
        'gets a random alias of six characters, and keeps it',
      ),
    },
    {
      id: 'bio.fields',
      rule: 'Ours: every field and every block is checked, and the one at fault is named',
      tests: here('refuses %j and names %s, on add and on update'),
    },
    {
      id: 'bio.plan',
      rule: 'Ours: bio pages need a plan that has them, and room for one more',
      tests: here('requires a plan with bio pages, whether they exist or not'),
    },
    {
      id: 'bio.blocks',
      rule: 'Ours: each block can be switched off and put in order, and has clicks of its own',
      tests: [
        ...here('keeps the ids of its blocks when sorted, and never reuses one'),
        ...visits(
          'omits disabled blocks and those whose target is gone',
          'count for the block, which redirects with 302',
        ),
      ],
    },
    {
      id: 'bio.source',
      rule: 'Ours: a click on a short link of the owner counts there with the source bio',
      tests: visits("count for the owner's short link too, with the source bio"),
    },
    {
      id: 'bio.channel',
      rule: 'Bio pages are channel items with type, id, title, preview, link and date',
      tests: here('can be in channels, with its name and address, until it is deleted'),
    },
    {
      id: 'bio.domain',
      rule: 'bioid binds a bio page to the bare domain; 0 or null goes back to redirectroot',
      tests: visits(
        'the root shows the page, and its former target when the page is removed',
        'a URL for the root replaces its page',
        "no domain shows somebody else's page",
      ),
    },
    {
      id: 'bio.delete',
      rule: 'Ours: a bio page that is deleted is taken off domains and channels at once',
      tests: visits('a deleted page is removed from its domains and channels in one step'),
    },
    {
      id: 'bio.restore',
      rule: 'Ours: POST /api/bio/:id/restore brings a deleted page back for 30 days, with all that was attached',
      tests: removed(
        'is restored with its address, statistics, messages, channels and domains',
        'is not restored while its alias is taken, and does not affect a domain that leads elsewhere by now',
        'is restored without a domain and a channel that are gone, and new blocks get new ids',
      ),
    },
  ],
};
