import type { Settings } from '../../contract/settings.ts';

/** The settings of a new instance. Plan 2 is Pro: no limits until its administrator sets them. */
export const defaultSettings: Settings = {
  baseUrl: null,
  publicAddresses: [],
  dnsServers: [],
  domainSyncMinutes: 10,
  ssl: {
    mode: 'off',
    acmeDirectory: 'https://acme-v02.api.letsencrypt.org/directory',
    acmeEmail: null,
  },
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
  mail: { host: null, port: 465, security: 'tls', user: null, from: null },
  fleet: { keepBytes: 2 ** 30, keepHours: 72 },
  backup: { enabled: true, hour: 2, keepDaily: 7, keepWeekly: 4, folder: null },
};
