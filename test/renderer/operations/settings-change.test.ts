import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../renderer/operations/instance/settings-change.ts';
import type { Settings } from '../../../server/contract/settings.ts';

const before: Settings = {
  baseUrl: null,
  publicAddresses: [],
  dnsServers: [],
  domainSyncMinutes: 10,
  ssl: { mode: 'off', acmeDirectory: 'https://acme.example/directory', acmeEmail: null },
  sharing: false,
  sharingPort: null,
  plainSharing: false,
  trustedProxies: [],
  ratelimit: 30,
  maxUploadMb: 100,
  allowedPrivateRanges: [],
  registration: 'invitation',
  defaultPlan: 2,
  privacy: {
    storeAddresses: false,
    doNotTrack: false,
    uncountedAddresses: [],
    noReferrer: false,
    noBrowser: false,
    noPlace: false,
    noSignedIn: false,
    keep: 'clicks',
  },
  retentionDays: null,
  fleet: { keepBytes: 2 ** 30, keepHours: 72 },
  backup: { enabled: true, hour: 2, keepDaily: 7, keepWeekly: 4, folder: null },
  mail: { host: null, port: 465, security: 'tls', user: null, from: null },
};

describe('an update of the instance settings', () => {
  it('is empty if nothing was changed', () => {
    expect(changeOf(structuredClone(before), before)).toEqual({});
  });

  it('contains only what was changed in a group, so fixed settings are left alone', () => {
    const now = structuredClone(before);
    now.ssl.mode = 'acme';
    now.trustedProxies.push('10.0.0.0/8');
    expect(changeOf(now, before)).toEqual({ ssl: { mode: 'acme' }, trustedProxies: ['10.0.0.0/8'] });
  });
});
