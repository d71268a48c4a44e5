import { type Section, testsOf } from '../section.ts';

const account = testsOf('test/conformance/account.test.ts');
const factor = testsOf('test/conformance/two-factor.test.ts');
const keys = testsOf('test/conformance/authentication.test.ts');
const conventions = testsOf('test/conformance/conventions.test.ts');
const wire = testsOf('test/server/platform/http.test.ts');

export const section: Section = {
  name: 'Errors and limits of the account',
  closed: true,
  rows: [
    {
      id: 'errors.shape',
      rule: 'Success has error 0, failure error 1 and a message',
      tests: [
        ...conventions('says error 0 on success and error 1 with a message on failure, as integers'),
        ...testsOf('test/conformance/variants.test.ts')('is a success for our client'),
      ],
    },
    {
      id: 'errors.status',
      rule: 'The HTTP status tells as well',
      tests: conventions('says error 0 on success and error 1 with a message on failure, as integers'),
    },
    {
      id: 'errors.key',
      rule: 'API key missing or expired',
      tests: keys(
        'is required for every request: without one it is an error',
        'is an error once it has expired',
      ),
    },
    {
      id: 'errors.email',
      rule: 'E-mail address not unique',
      tests: account('changes the email address and refuses a taken one, in any case and composition'),
    },
    {
      id: 'errors.username',
      rule: 'User name not unique',
      tests: account('changes the user name and refuses one that is taken, in any case and composition'),
    },
    {
      id: 'errors.current_password',
      rule: 'Password change without current_password',
      tests: account('refuses a new password without the current one'),
    },
    {
      id: 'errors.disable',
      rule: '2FA disable with neither code nor current_password',
      tests: factor('is refused with neither a code nor the password'),
    },
    {
      id: 'errors.force',
      rule: 'Regenerate with the primary key without force true',
      tests: keys('requires force true when the primary key itself asks'),
    },
    {
      id: 'limits.rate',
      rule: '30 requests a minute on all endpoints',
      tests: [
        ...conventions('is 30 requests a minute by default, with three headers on every response'),
        ...wire("refuses a key's 31st request in a minute with the waiting time, and continues after it"),
      ],
    },
    {
      id: 'limits.headers',
      rule: 'X-RateLimit-Limit, -Remaining and -Reset on every response',
      tests: [
        ...conventions('is 30 requests a minute by default, with three headers on every response'),
        ...wire(
          'has the three rate limit headers, whatever its status',
          'has them even if the parser refused the request',
        ),
      ],
    },
    {
      id: 'limits.over',
      rule: 'Over the limit: 429 with Retry-After (left open by the contract)',
      tests: conventions('is 30 requests a minute by default, with three headers on every response'),
    },
    {
      id: 'limits.page',
      rule: 'limit sets the page size of lists',
      tests: conventions('follows limit and page, and has no next page after the last'),
    },
    {
      id: 'limits.perpage',
      rule: 'perpage of the account: 15, 50 or 100',
      tests: account('accepts only 15, 50 or 100 for perpage'),
    },
    {
      id: 'limits.password',
      rule: 'Passwords have at least 5 characters',
      tests: account('takes a password of 5 characters with the current one, and no shorter'),
    },
    {
      id: 'limits.avatar',
      rule: 'An avatar is a PNG or JPEG, resized to 500x500',
      tests: account('re-encodes a 500x500 picture of %s and serves it itself'),
    },
    {
      id: 'limits.pending',
      rule: 'A pending secret lives 120 seconds',
      tests: factor('works 119 seconds after the set-up and not after 120'),
    },
    {
      id: 'limits.totp',
      rule: 'A TOTP code has 6 digits',
      tests: factor('refuses the code %j and names the field'),
    },
  ],
};
