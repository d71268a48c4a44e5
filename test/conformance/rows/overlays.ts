import { type Section, testsOf } from '../section.ts';

const here = testsOf('test/conformance/overlays.test.ts');
const variants = testsOf('test/conformance/campaign-variants.test.ts');
const removed = testsOf('test/server/platform/page-trash.test.ts');
const created = here('is created, read, changed and deleted');

export const section: Section = {
  name: 'CTA overlays and custom splash pages',
  closed: true,
  rows: [
    {
      id: 'overlay.list',
      rule: 'GET /api/overlay is the envelope with cta, each with id, type, name and date',
      tests: here('is listed with id, type, name and date, newest first, under the key cta'),
    },
    {
      id: 'overlay.type',
      rule: 'type is a text; message and contact occur',
      tests: [
        ...here('of type %s keeps its content'),
        ...variants('overlays of unknown types are accepted by our client'),
      ],
    },
    {
      id: 'splash.list',
      rule: 'GET /api/splash is the envelope with splash, each with id, name and date',
      tests: created,
    },
    {
      id: 'overlay.content',
      rule: 'Ours: each type has its own content, of which nothing is taken as markup',
      tests: here('refuses %j and names %s', 'stores markup as text, and drops fields of other types'),
    },
    {
      id: 'overlay.delete',
      rule: 'Ours: the links of a deleted overlay or splash page lead straight on',
      tests: here(
        'can be the type of a link, which redirects directly once it is deleted',
        'can be the type of a link, by its id; the link redirects directly once it is deleted',
      ),
    },
    {
      id: 'overlay.restore',
      rule: 'Ours: POST /api/overlay/:id/restore and /api/splash/:id/restore bring back for 30 days, with all that was attached',
      tests: removed(
        'is restored with its responses and on its links, without reporting a response twice',
        'is not restored on links that have another type by now',
        'cannot be restored by others, twice, or after 30 days',
        'requires room in the plan',
        'are not served while it is deleted, and restored with it',
        'are kept for 30 days, and then removed',
      ),
    },
    {
      id: 'overlay.plan',
      rule: 'Both need a plan that has them, whether they exist or not',
      tests: here('overlays and splash pages require a plan with them, whether they exist or not'),
    },
  ],
};
