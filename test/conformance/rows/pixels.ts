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
        'of type %s accepts the tag that its message shows',
        'of type %s refuses the tag %j',
        'validates an updated tag as well',
      ),
    },
    {
      id: 'pixel.delete',
      rule: 'Ours: a deleted pixel is taken off every link',
      tests: here('is removed from all links when it is deleted'),
    },
    {
      id: 'pixel.requests',
      rule: 'Ours: figures=1 tells how many links use a pixel and what it makes a page load',
      tests: requests(
        'the description of a pixel matches what a visitor loads: %s',
        'statistics are only included on request',
      ),
    },
    {
      id: 'pixel.restore',
      rule: 'Ours: POST /api/pixel/:id/restore brings a deleted pixel back onto its links for 30 days',
      tests: removed('is restored with its id and on its links'),
    },
    {
      id: 'pixel.plan',
      rule: 'Pixels need a plan that has them, whether they exist or not',
      tests: here('requires a plan with pixels, whether it exists or not'),
    },
  ],
};
