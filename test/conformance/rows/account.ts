import { type Row, type Section, testsOf } from '../section.ts';

const here = testsOf('test/conformance/account.test.ts');
const every = 'returns every field of the Account table with its type';

/** Fields that are shown, with the test of what is special about each. */
const fields: Record<string, string[]> = {
  id: ['ignores read-only and unknown keys'],
  email: ['changes the e-mail address and refuses one that is taken, in any case and composition'],
  username: ['changes the user name and refuses one that is taken, in any case and composition'],
  name: ['changes the name'],
  avatar: ['clears the avatar by null; it is an address all the same'],
  status: ['shows the status free and the permissions of the plan on a free account'],
  planid: ['shows the status free and the permissions of the plan on a free account'],
  expires: ['shows expires as a timestamp in the time zone of the account, and free once it has passed'],
  registered: ['takes time zones by their IANA names only'],
  verified: [],
  active: [],
  timezone: ['takes time zones by their IANA names only'],
  perpage: ['takes 15, 50 or 100 as perpage and nothing else'],
  newsletter: ['takes %s as a boolean'],
  brokenlinks_email: ['takes %s as a boolean'],
  media: ['takes %s as a boolean'],
  public: ['takes %s as a boolean'],
  defaulttype: ['takes direct, frame and splash as defaulttype'],
  domain: ['takes a domain of the account as default, as host name or address, and clears it'],
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
      tests: here('takes personal and business as the type of an address, and texts for the rest'),
    },
    {
      id: 'account.reduced',
      rule: 'Clients accept the reduced variant of the account',
      tests: testsOf('test/conformance/variants.test.ts')('of the account is accepted by our client'),
    },
  ],
};
