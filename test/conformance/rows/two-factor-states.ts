import { type Section, testsOf } from '../section.ts';

const here = testsOf('test/conformance/two-factor.test.ts');

export const section: Section = {
  name: 'Two-factor states',
  closed: true,
  rows: [
    {
      id: 'twofactor.setup',
      rule: 'Disabled → setup → disabled with a pending secret that lives 120 seconds',
      tests: here(
        'returns a new secret, its otpauth URL and 120 seconds, and turns nothing on',
        'works 119 seconds after the set-up and not after 120',
        'replaces the secret of a pending set-up',
      ),
    },
    {
      id: 'twofactor.enable',
      rule: 'Pending → enable with the current code → enabled',
      tests: here(
        'is turned on with the current code and confirmed with a message',
        'accepts the code of the previous step, but no older or newer one',
        'is refused without a set-up',
      ),
    },
    {
      id: 'twofactor.disable',
      rule: 'Enabled → disable with a code or the password → disabled',
      tests: here(
        'is turned off with a current code',
        'is turned off with the current password',
        'refuses a wrong code and a wrong password, even beside a correct one',
      ),
    },
    {
      id: 'twofactor.expired',
      rule: 'Enable after the pending secret has expired is refused (left open by the contract)',
      tests: here('works 119 seconds after the set-up and not after 120'),
    },
    {
      id: 'twofactor.setup.enabled',
      rule: 'Setup while enabled is refused (left open by the contract)',
      tests: here('is refused while two-factor authentication is on'),
    },
    {
      id: 'twofactor.disable.disabled',
      rule: 'Disable while disabled is refused (left open by the contract)',
      tests: here('is refused if it is off'),
    },
  ],
};
