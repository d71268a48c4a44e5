import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { identifier } from './envelope.ts';
import { privacyChoice } from './privacy.ts';

const range = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], {
  error: 'Use addresses or ranges such as 10.0.0.0/8.',
});
const hostName = z
  .string()
  .max(253)
  .regex(/^(?=.*[a-z])[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'Use IP addresses or hostnames.');

/** The instance's origin: `https://go.example.com`. */
export const instanceAddress = z
  .url({
    protocol: /^https?$/,
    normalize: true,
    error: 'Use a URL such as https://go.example.com.',
  })
  .max(300)
  .regex(/^https?:\/\/[^/?#@\s]+\/?$/i, 'Use a URL such as https://go.example.com.')
  .transform((text) => text.replace(/\/$/, ''));

const webAddress = z.url({ protocol: /^https?$/, error: 'Use a URL.' }).max(2048);

const dnsServer = z
  .string()
  .regex(
    /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f:.]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i,
    'Use addresses of DNS servers, such as 9.9.9.9 or 9.9.9.9:53.',
  );

/** A mail server's host; names in the local network may have no dot. */
const mailHost = z
  .string()
  .max(253)
  .regex(
    /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|[0-9a-f]*:[0-9a-f:.]*)$/i,
    'Use a hostname such as smtp.example.com, or an IP address.',
  );

const mail = z.object({
  /** The mail server; null disables email. */
  host: mailHost.nullable(),
  port: z.number().int().min(1).max(65_535),
  /** `none` is only allowed within the local network. */
  security: z.enum(['tls', 'starttls', 'none']),
  /** Null for a server without authentication. */
  user: z
    .string()
    .max(320)
    .regex(/^[^\p{Cc}]+$/u, 'Enter the user name at the mail server.')
    .nullable(),
  /** The sender address. */
  from: z.email('Enter an email address, such as links@example.com.').max(254).nullable(),
});
export type MailSettings = z.output<typeof mail>;

/** All settings of an instance (decision 0008). Objects are merged key by key. */
export const settings = z.object({
  /** Public URL; null for the address listened on. */
  baseUrl: instanceAddress.nullable(),
  /** Targets for branded domains: IP addresses, or a host name to compare with. */
  publicAddresses: z.array(z.union([z.ipv4(), z.ipv6(), hostName])).max(20),
  /** Empty for the system's DNS servers. */
  dnsServers: z.array(dnsServer).max(8),
  domainSyncMinutes: z.number().int().min(1).max(1440),
  ssl: z.object({
    mode: z.enum(['off', 'external', 'local', 'acme']),
    acmeDirectory: webAddress,
    acmeEmail: z.email('Enter an email address.').max(254).nullable(),
  }),
  /** Whether other machines in the network may use the instance. */
  sharing: z.boolean(),
  /** The HTTPS port in the local network; null until sharing is first enabled, which selects a free one. */
  sharingPort: z.number().int().min(1).max(65_535).nullable(),
  /** Whether other machines may send keys and passwords unencrypted, readable by others in the network. */
  plainSharing: z.boolean(),
  /** Proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: z.array(range).max(100),
  /** Requests per minute of an API key (contract, "Limits": 30). */
  ratelimit: z.number().int().min(1).max(1_000_000),
  maxUploadMb: z.number().int().min(1).max(100_000),
  /** Private IP ranges from which images and titles may be fetched. */
  allowedPrivateRanges: z.array(range).max(100),
  /** Who may register: nobody, users with an invitation, or everyone. */
  registration: z.enum(['closed', 'invitation', 'open']),
  /** The plan of new accounts. */
  defaultPlan: z.number().int().positive(),
  privacy: z.object({
    /** Whether visitors' IP addresses are stored with clicks; turning this off also deletes stored ones. */
    storeAddresses: z.boolean(),
    /** Whether visits with `DNT: 1` or `Sec-GPC: 1` are not recorded. */
    doNotTrack: z.boolean(),
    /** Visits from these ranges are not counted. */
    uncountedAddresses: z.array(range).max(100),
    ...privacyChoice.shape,
  }),
  /** Days that individual clicks are kept; null for no limit. Aggregated statistics are kept. */
  retentionDays: z.number().int().min(1).max(36_500).nullable(),
  /** How much a fleet's engine retains: changes for disconnected edges, and clicks for a disconnected origin. */
  fleet: z.object({
    keepBytes: z
      .number()
      .int()
      .min(64 * 2 ** 20)
      .max(2 ** 40),
    keepHours: z.number().int().min(1).max(8_760),
  }),
  backup: z.object({
    enabled: z.boolean(),
    /** Hour of the day for the daily backup, in the instance's time zone. */
    hour: z.number().int().min(0).max(23),
    /** Number of days to keep daily backups, and of weeks to keep weekly ones after that. */
    keepDaily: z.number().int().min(1).max(366),
    keepWeekly: z.number().int().min(0).max(520),
    /** A folder on the server; null for the default in the data folder. */
    folder: z
      .string()
      .max(1000)
      .regex(/^(\/|\\\\|[A-Za-z]:[\\/])[^\p{Cc}]*$/u, 'Enter an absolute folder path, such as /srv/backups.')
      .nullable(),
  }),
  /** How email is sent (decision 0072); the password is set separately and never returned. */
  mail,
});
export type Settings = z.output<typeof settings>;

/** An update: omitted fields are unchanged, also inside `ssl`, `privacy`, `fleet`, `backup` and `mail`. */
export const settingsChange = z.object({
  ...settings.shape,
  ssl: settings.shape.ssl.partial(),
  privacy: settings.shape.privacy.partial(),
  fleet: settings.shape.fleet.partial(),
  backup: settings.shape.backup.partial(),
  mail: mail.partial(),
  defaultPlan: identifier,
});

const shown = z.object({
  ...settings.shape,
  /** Settings fixed by startup options, such as `ratelimit` or `ssl.mode`; they cannot be changed here. */
  fixed: z.array(z.string()),
});
export type ShownSettings = z.output<typeof shown>;

export const getSettings = endpoint({
  method: 'GET',
  path: '/api/settings',
  summary: 'Get the instance settings.',
  access: 'admin',
  scope: 'settings',
  reply: z.object({ data: shown }),
});

/**
 * Settings that determine whom the server contacts and trusts, and how secrets are transmitted, in addition to the
 * directory in `ssl`.
 */
export const trustSettings = [
  'baseUrl',
  'mail',
  'dnsServers',
  'allowedPrivateRanges',
  'trustedProxies',
  'plainSharing',
] as const;

/** Settings for registration and plans; creating accounts with a key requires the `users` scope as well. */
export const admissionSettings = ['registration', 'defaultPlan'] as const;

const namesOf = (settings: readonly string[]) => settings.map((name) => `\`${name}\``);

export const updateSettings = endpoint({
  method: 'PUT',
  path: '/api/settings',
  summary: 'Update settings; omitted fields are unchanged.',
  scopeRule:
    `Changing ${namesOf(trustSettings).join(', ')} or \`ssl.acmeDirectory\` takes a full key that does not expire; ` +
    `${namesOf(admissionSettings).join(' and ')} take \`users:write\`.`,
  access: 'admin',
  scope: 'settings',
  body: settingsChange.partial(),
  reply: z.object({ message: z.string(), data: shown }),
});
