import { type Section, testsOf } from '../section.ts';

const here = testsOf('test/conformance/pixels.test.ts');
const requests = testsOf('test/server/content/pixel-requests.test.ts');
const removed = testsOf('test/server/platform/trash.test.ts');

export const section: Section = {
  name: 'Pixels',
  closed: true,
  rows: [
    {
      id: 'pixels.list',
      rule: 'GET /api/pixels lists pixels in pages (the form of the reply is left open by the contract)',
      tests: here('is created, read, changed and deleted'),
    },
    {
      id: 'pixel.tag',
      rule: 'Ours: a tag is checked by its type and is never markup',
      tests: here(
        'of type %s takes the tag that its message shows',
        'of type %s refuses the tag %j',
        'has a new tag checked as well',
      ),
    },
    {
      id: 'pixel.delete',
      rule: 'Ours: a deleted pixel is taken off every link',
      tests: here('is taken off every link when it is deleted'),
    },
    {
      id: 'pixel.requests',
      rule: 'Ours: figures=1 tells how many links use a pixel and what it makes a page load',
      tests: requests(
        'what is told of a pixel is what a visitor loads: %s',
        'the figures come only where they are asked for',
      ),
    },
    {
      id: 'pixel.restore',
      rule: 'Ours: POST /api/pixel/:id/restore brings a deleted pixel back onto its links for 30 days',
      tests: removed('comes back with its id and on its links'),
    },
    {
      id: 'pixel.plan',
      rule: 'Pixels need a plan that has them, whether they exist or not',
      tests: here('needs a plan that has pixels, whether it exists or not'),
    },
  ],
};
