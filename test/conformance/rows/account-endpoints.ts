import { type Section, testsOf } from '../section.ts';

const account = testsOf('test/conformance/account.test.ts');
const factor = testsOf('test/conformance/two-factor.test.ts');
const keys = testsOf('test/conformance/authentication.test.ts');

export const section: Section = {
  name: 'Account endpoints',
  closed: true,
  rows: [
    {
      id: 'endpoint.account.get',
      rule: 'GET /api/account returns the account',
      tests: account('returns every field of the Account table with its type'),
    },
    {
      id: 'endpoint.account.post',
      rule: 'The published sample uses POST on /api/account',
      tests: account('POST /api/account answers like GET'),
    },
    {
      id: 'endpoint.account.update',
      rule: 'PUT /api/account/update answers error and message; every field is optional',
      tests: account('changes only the keys that are sent'),
    },
    {
      id: 'update.email',
      rule: 'email is unique',
      tests: account('changes the email address and refuses a taken one, in any case and composition'),
    },
    {
      id: 'update.username',
      rule: 'username is unique',
      tests: account('changes the user name and refuses one that is taken, in any case and composition'),
    },
    { id: 'update.name', rule: 'name is the display name', tests: account('changes the display name') },
    {
      id: 'update.password',
      rule: 'password has at least 5 characters and needs current_password',
      tests: account(
        'takes a password of 5 characters with the current one, and no shorter',
        'refuses a new password without the current one',
      ),
    },
    {
      id: 'update.current_password',
      rule: 'current_password is checked',
      tests: account('refuses a new password with the wrong current one'),
    },
    {
      id: 'update.timezone',
      rule: 'timezone is an IANA name',
      tests: account('accepts only IANA time zone names'),
    },
    {
      id: 'update.perpage',
      rule: 'perpage is 15, 50 or 100',
      tests: account('accepts only 15, 50 or 100 for perpage'),
    },
    {
      id: 'update.switches',
      rule: 'newsletter, brokenlinks_email, media and public are booleans',
      tests: account('accepts %s as a boolean'),
    },
    {
      id: 'update.defaulttype',
      rule: 'defaulttype is direct, frame or splash; silently ignored on free accounts',
      tests: account(
        'accepts direct, frame and splash for defaulttype',
        'silently ignores defaulttype and domain on a free account',
      ),
    },
    {
      id: 'update.domain',
      rule: 'domain is the default branded domain; silently ignored on free accounts',
      tests: account(
        'accepts a domain of the account as default, by host name or URL, and clears it',
        'silently ignores defaulttype and domain on a free account',
      ),
    },
    {
      id: 'update.mailerapikey',
      rule: 'mailerapikey is stored',
      tests: account('stores mailerapikey and never returns it'),
    },
    {
      id: 'update.address',
      rule: 'address is an Address',
      tests: account(
        'merges the address key by key',
        'accepts personal and business as the address type, and texts for the other fields',
      ),
    },
    {
      id: 'update.avatar',
      rule: 'avatar is the address of a PNG or JPEG, resized to 500x500; null clears it',
      tests: account(
        're-encodes a 500x500 picture of %s and serves it itself',
        'clears the avatar with null; it still has a URL',
        'refuses an avatar that is not a PNG or JPEG, is too large, or cannot be fetched',
      ),
    },
    {
      id: 'regenerate.reply',
      rule: 'Regenerate returns the new key once; it is not readable later',
      tests: keys('returns a new key once; the old one fails on the next request'),
    },
    {
      id: 'regenerate.custom',
      rule: 'Custom keys are not touched by a rotation',
      tests: keys('does not affect custom keys'),
    },
    {
      id: 'regenerate.force',
      rule: 'force is required when the primary key itself asks',
      tests: keys(
        'requires force true when the primary key itself asks',
        'does not require force when another key asks',
      ),
    },
    {
      id: 'regenerate.old',
      rule: 'The old key fails on the next request',
      tests: keys('returns a new key once; the old one fails on the next request'),
    },
    {
      id: 'setup.reply',
      rule: '2FA setup returns secret, otpauth_url and expires_in',
      tests: factor('returns a new secret, its otpauth URL and 120 seconds, and turns nothing on'),
    },
    {
      id: 'enable.code',
      rule: '2FA enable needs a code of 6 digits and answers a message',
      tests: factor(
        'is turned on with the current code and confirmed with a message',
        'refuses the code %j and names the field',
      ),
    },
    {
      id: 'disable.proof',
      rule: '2FA disable needs a code or the password and answers a message',
      tests: factor(
        'is turned off with a current code',
        'is turned off with the current password',
        'is refused with neither a code nor the password',
      ),
    },
  ],
};
