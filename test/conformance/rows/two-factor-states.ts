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
        'returns a fresh secret, its otpauth address and 120 seconds, and switches nothing on',
        'works 119 seconds after the set-up and not after 120',
        'replaces the secret of a set-up that is under way',
      ),
    },
    {
      id: 'twofactor.enable',
      rule: 'Pending → enable with the current code → enabled',
      tests: here(
        'switches it on by the current code and confirms with a message',
        'takes the code of the previous step, and no older or newer one',
        'is refused without a set-up',
      ),
    },
    {
      id: 'twofactor.disable',
      rule: 'Enabled → disable with a code or the password → disabled',
      tests: here(
        'switches it off by a current code',
        'switches it off by the current password',
        'refuses a wrong code and a wrong password, also beside a right one',
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
      tests: here('is refused when it is off'),
    },
  ],
};
