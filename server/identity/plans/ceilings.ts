import { type Refusal, rejected } from '../../platform/errors.ts';

/** How many of each one account has at most, whatever its plan: far above any use, and no way to fill the disk. */
export const ceilings = {
  bioPages: { most: 10_000, resources: 'bio pages' },
  campaigns: { most: 10_000, resources: 'campaigns' },
  channels: { most: 10_000, resources: 'channels' },
  domains: { most: 10_000, resources: 'domains' },
  // Each takes a block of the disk, however few bytes of the quota it has.
  files: { most: 50_000, resources: 'files' },
  identities: { most: 20, resources: 'linked identities' },
  invitations: { most: 1_000, resources: 'open invitations' },
  keys: { most: 100, resources: 'custom API keys' },
  overlays: { most: 10_000, resources: 'overlays' },
  passkeys: { most: 20, resources: 'passkeys' },
  pixels: { most: 10_000, resources: 'pixels' },
  qrCodes: { most: 10_000, resources: 'QR codes' },
  simulatorCases: { most: 10_000, resources: 'saved simulator cases' },
  splashPages: { most: 10_000, resources: 'splash pages' },
  utmTemplates: { most: 500, resources: 'UTM templates' },
  webhooks: { most: 50, resources: 'webhooks' },
} as const;

export type Ceiling = keyof typeof ceilings;

/** Throws 400 `too_many` if an account has reached the ceiling. */
export function checkCeiling(ceiling: Ceiling, count: number): void {
  if (count >= ceilings[ceiling].most) throw tooMany(ceiling);
}

function tooMany(ceiling: Ceiling): Refusal {
  const { most, resources } = ceilings[ceiling];
  return rejected(
    'too_many',
    undefined,
    `An account has at most ${most.toLocaleString('en')} ${resources}. Delete one first.`,
  );
}
