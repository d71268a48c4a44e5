import { type Refusal, rejected } from '../../platform/errors.ts';

/** How many of each one account has at most, whatever its plan: far above any use, and no way to fill the disk. */
export const ceilings = {
  bioPages: { most: 10_000, nouns: 'bio pages' },
  campaigns: { most: 10_000, nouns: 'campaigns' },
  channels: { most: 10_000, nouns: 'channels' },
  domains: { most: 10_000, nouns: 'domains' },
  identities: { most: 20, nouns: 'linked identities' },
  invitations: { most: 1_000, nouns: 'open invitations' },
  keys: { most: 100, nouns: 'custom API keys' },
  overlays: { most: 10_000, nouns: 'overlays' },
  passkeys: { most: 20, nouns: 'passkeys' },
  pixels: { most: 10_000, nouns: 'pixels' },
  qrCodes: { most: 10_000, nouns: 'QR codes' },
  simulatorCases: { most: 10_000, nouns: 'saved simulator cases' },
  splashPages: { most: 10_000, nouns: 'splash pages' },
  utmTemplates: { most: 500, nouns: 'UTM templates' },
  webhooks: { most: 50, nouns: 'webhooks' },
} as const;

export type Ceiling = keyof typeof ceilings;

/** Throws 400 `too_many` when an account with so many has no room for another one. */
export function checkCeiling(ceiling: Ceiling, count: number): void {
  if (count >= ceilings[ceiling].most) throw tooMany(ceiling);
}

function tooMany(ceiling: Ceiling): Refusal {
  const { most, nouns } = ceilings[ceiling];
  return rejected(
    'too_many',
    undefined,
    `An account has at most ${most.toLocaleString('en')} ${nouns}. Delete one first.`,
  );
}
