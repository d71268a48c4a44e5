import { type Section, testsOf } from '../section.ts';

const here = testsOf('test/conformance/conventions.test.ts');
const wire = testsOf('test/server/platform/http.test.ts');

export const section: Section = {
  name: 'Conventions',
  closed: true,
  rows: [
    {
      id: 'conventions.json',
      rule: 'Requests and responses are JSON, with that content type',
      tests: [...here('uses JSON in both directions'), ...wire('is 415 as %s %j', 'is 400 if it is %j')],
    },
    {
      id: 'conventions.ids',
      rule: 'Ids are integers',
      tests: here('has integers as ids', 'responds with 404 to the id %s'),
    },
    {
      id: 'conventions.timestamps',
      rule: 'Timestamps are YYYY-MM-DD HH:MM:SS',
      tests: here("has timestamps in one format, in the account's time zone"),
    },
    {
      id: 'conventions.booleans',
      rule: 'Booleans are true and false',
      tests: [
        ...here('has true and false as booleans and null for missing values'),
        ...wire('is refused with the name of each field of the wrong type, and never cast'),
      ],
    },
    {
      id: 'conventions.null',
      rule: 'What is absent is null',
      tests: here('has true and false as booleans and null for missing values'),
    },
    {
      id: 'conventions.partial',
      rule: 'Updates change only the keys that are sent',
      tests: testsOf('test/conformance/account.test.ts')('changes only the keys that are sent'),
    },
  ],
};
