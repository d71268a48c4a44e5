import { type Row, type Section, testsOf } from '../section.ts';

const here = testsOf('test/conformance/account.test.ts');
const every = 'returns every field of the Account table with its type';

/** Fields that are shown, with the test of what is special about each. */
const fields: Record<string, string[]> = {
  id: ['ignores read-only and unknown keys'],
  email: ['changes the email address and refuses a taken one, in any case and composition'],
  username: ['changes the user name and refuses one that is taken, in any case and composition'],
  name: ['changes the display name'],
  avatar: ['clears the avatar with null; it still has a URL'],
  status: ['shows the status free and the permissions of the plan on a free account'],
  planid: ['shows the status free and the permissions of the plan on a free account'],
  expires: ['shows expires as a timestamp in the time zone of the account, and free once it has passed'],
  registered: ['accepts only IANA time zone names'],
  verified: [],
  active: [],
  timezone: ['accepts only IANA time zone names'],
  perpage: ['accepts only 15, 50 or 100 for perpage'],
  newsletter: ['accepts %s as a boolean'],
  brokenlinks_email: ['accepts %s as a boolean'],
  media: ['accepts %s as a boolean'],
  public: ['accepts %s as a boolean'],
  defaulttype: ['accepts direct, frame and splash for defaulttype'],
  domain: ['accepts a domain of the account as default, by host name or URL, and clears it'],
  has_2fa: ['ignores read-only and unknown keys'],
  address: ['merges the address key by key'],
  permissions: ['shows the status free and the permissions of the plan on a free account'],
};

const addressFields = ['name', 'company', 'type', 'taxid', 'address', 'city', 'state', 'zip', 'country'];

export const section: Section = {
  name: 'Account and Address',
  closed: true,
  rows: [
    ...Object.entries(fields).map(
      ([name, titles]): Row => ({
        id: `account.${name}`,
        rule: `The account has ${name}`,
        tests: here(every, ...titles),
      }),
    ),
    ...addressFields.map(
      (name): Row => ({
        id: `address.${name}`,
        rule: `The address has the text ${name}`,
        tests: here(every, 'merges the address key by key'),
      }),
    ),
    {
      id: 'address.type.values',
      rule: 'type is personal or business',
      tests: here('accepts personal and business as the address type, and texts for the other fields'),
    },
    {
      id: 'account.reduced',
      rule: 'Clients accept the reduced variant of the account',
      tests: testsOf('test/conformance/variants.test.ts')('of the account is accepted by our client'),
    },
  ],
};
