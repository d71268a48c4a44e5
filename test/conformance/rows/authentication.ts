import { type Section, testsOf } from '../section.ts';

const here = testsOf('test/conformance/authentication.test.ts');
const wire = testsOf('test/server/platform/http.test.ts');

export const section: Section = {
  name: 'Authentication',
  closed: true,
  rows: [
    {
      id: 'auth.generated',
      rule: 'A key is made when a user registers',
      tests: [
        ...here('is created with the account'),
        ...testsOf('test/server/identity/users.test.ts')(
          'registers with an invitation, once, and gets a key and a session',
        ),
      ],
    },
    {
      id: 'auth.bearer',
      rule: 'Every request carries Authorization: Bearer KEY',
      tests: [
        ...here('is required for every request: without one it is an error'),
        ...wire('accepts the older scheme Token'),
      ],
    },
    {
      id: 'auth.missing',
      rule: 'A missing or expired key is an error',
      tests: [
        ...here(
          'is required for every request: without one it is an error',
          'is an error once it has expired',
        ),
        ...wire('is 401 with one body for a missing, garbled, unknown and wrong-scheme key'),
      ],
    },
    {
      id: 'auth.secret',
      rule: 'The key is secret',
      tests: here('appears only in the reply that creates it'),
    },
    {
      id: 'auth.rotation',
      rule: 'The primary key is rotated; custom keys are apart from it',
      tests: here(
        'returns a new key once; the old one fails on the next request',
        'does not affect custom keys',
      ),
    },
    {
      id: 'auth.disable2fa',
      rule: 'A stolen key alone cannot switch 2FA off',
      tests: testsOf('test/conformance/two-factor.test.ts')(
        'is refused with neither a code nor the password',
      ),
    },
    {
      id: 'auth.plan',
      rule: 'Features are gated by the plan',
      tests: [
        ...here('is refused with 403, a message and the name of the permission'),
        ...testsOf('test/conformance/account.test.ts')(
          'silently ignores defaulttype and domain on a free account',
        ),
      ],
    },
  ],
};
