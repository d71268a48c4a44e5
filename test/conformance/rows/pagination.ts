import { type Section, testsOf } from '../section.ts';

const here = testsOf('test/conformance/conventions.test.ts');
const envelope = here(
  "has the contract's envelope: result, perpage, currentpage, nextpage, maxpage and its items",
);

export const section: Section = {
  name: 'Pagination envelope',
  closed: true,
  rows: [
    { id: 'pagination.result', rule: 'result is an integer: the number of all matches', tests: envelope },
    {
      id: 'pagination.perpage',
      rule: 'perpage is the page size',
      tests: [...envelope, ...here('follows limit and page, and has no next page after the last')],
    },
    {
      id: 'pagination.currentpage',
      rule: 'currentpage is the page that was asked for',
      tests: here('follows limit and page, and has no next page after the last', 'is empty beyond its end'),
    },
    {
      id: 'pagination.nextpage',
      rule: 'nextpage is null when there is no next page',
      tests: here('follows limit and page, and has no next page after the last', 'is empty beyond its end'),
    },
    { id: 'pagination.maxpage', rule: 'maxpage is the last page', tests: envelope },
    {
      id: 'pagination.key',
      rule: 'The items are in data, under the key of the resource',
      tests: envelope,
    },
    {
      id: 'pagination.limit',
      rule: 'limit sets the page size; out of range it is clamped, other than a whole number it is refused',
      tests: here('clamps limit to 1..1000 and page to 1', 'refuses %s'),
    },
    {
      id: 'pagination.error',
      rule: 'error is 0 in a list (clients also accept the text "0")',
      tests: [...here('says error 0 on success and error 1 with a message on failure, as integers')],
    },
  ],
};
