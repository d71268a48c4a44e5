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

/** The address of the instance without a path: `https://go.example.com`. */
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

/** A host that takes mail; within a machine or its network a name has no dot. */
const mailHost = z
  .string()
  .max(253)
  .regex(
    /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|[0-9a-f]*:[0-9a-f:.]*)$/i,
    'Use a hostname such as smtp.example.com, or an IP address.',
  );

const mail = z.object({
  /** The server that takes mail; null sends none. */
  host: mailHost.nullable(),
  port: z.number().int().min(1).max(65_535),
  /** `none` only within the own network. */
  security: z.enum(['tls', 'starttls', 'none']),
  /** Null for a server that asks for none. */
  user: z
    .string()
    .max(320)
    .regex(/^[^\p{Cc}]+$/u, 'Enter the user name at the mail server.')
    .nullable(),
  /** What messages come from. */
  from: z.email('Enter an email address, such as links@example.com.').max(254).nullable(),
});
export type MailSettings = z.output<typeof mail>;

/** Every setting of an instance with its rule (decision 0008). Objects are merged key by key. */
export const settings = z.object({
  /** Public address; null for the one that is listened on. */
  baseUrl: instanceAddress.nullable(),
  /** Where branded domains have to point to: addresses, or a host name to compare with. */
  publicAddresses: z.array(z.union([z.ipv4(), z.ipv6(), hostName])).max(20),
  /** Empty for the servers of the system. */
  dnsServers: z.array(dnsServer).max(8),
  domainSyncMinutes: z.number().int().min(1).max(1440),
  ssl: z.object({
    mode: z.enum(['off', 'external', 'local', 'acme']),
    acmeDirectory: webAddress,
    acmeEmail: z.email('Enter an email address.').max(254).nullable(),
  }),
  /** Whether other machines of the network may use the instance. */
  sharing: z.boolean(),
  /** The port of HTTPS in the network; null until the first sharing finds a free one. */
  sharingPort: z.number().int().min(1).max(65_535).nullable(),
  /** Whether other machines may use keys and passwords without encryption: others in the network can read them. */
  plainSharing: z.boolean(),
  /** Proxies whose X-Forwarded-For is believed. */
  trustedProxies: z.array(range).max(100),
  /** Requests a minute of an API key (contract, "Limits": 30). */
  ratelimit: z.number().int().min(1).max(1_000_000),
  maxUploadMb: z.number().int().min(1).max(100_000),
  /** Ranges that are not public but may be asked all the same for pictures and titles. */
  allowedPrivateRanges: z.array(range).max(100),
  /** Who may make an account: nobody, whoever has an invitation, or everybody. */
  registration: z.enum(['closed', 'invitation', 'open']),
  /** Plan of new accounts. */
  defaultPlan: z.number().int().positive(),
  privacy: z.object({
    /** Whether the address of visitors is stored with their clicks; off also takes away those that were stored. */
    storeAddresses: z.boolean(),
    /** Whether visits that ask not to be tracked (`DNT: 1`, `Sec-GPC: 1`) are answered without being recorded. */
    doNotTrack: z.boolean(),
    /** Visits from these are not counted. */
    uncountedAddresses: z.array(range).max(100),
    ...privacyChoice.shape,
  }),
  /** Days for which single clicks are kept; null for ever. What statistics count stays. */
  retentionDays: z.number().int().min(1).max(36_500).nullable(),
  /**
   * How much of what changed the engine of a fleet keeps for edges that are away, and of clicks for an origin that is.
   */
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
    /** Hour of the day at which a backup is made, in the time zone of the instance. */
    hour: z.number().int().min(0).max(23),
    /** For how many days the newest backup is kept, and beyond them for how many weeks. */
    keepDaily: z.number().int().min(1).max(366),
    keepWeekly: z.number().int().min(0).max(520),
    /** A folder on the server; null for the one in the data folder. */
    folder: z
      .string()
      .max(1000)
      .regex(/^(\/|\\\\|[A-Za-z]:[\\/])[^\p{Cc}]*$/u, 'Enter an absolute folder path, such as /srv/backups.')
      .nullable(),
  }),
  /** How mail is sent (decision 0072); the password is set apart, and never shown. */
  mail,
});
export type Settings = z.output<typeof settings>;

/** A change: what is not sent stays as it is, also inside of `ssl`, `privacy`, `fleet`, `backup` and `mail`. */
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
  /** Settings that the start of the server decided, such as `ratelimit` or `ssl.mode`; they cannot be changed here. */
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

/** Settings that decide whom the server asks and believes, and how secrets travel, beside the directory of `ssl`. */
export const trustSettings = [
  'baseUrl',
  'mail',
  'dnsServers',
  'allowedPrivateRanges',
  'trustedProxies',
  'plainSharing',
] as const;

/** Settings that let people make accounts and say on which plan; an account is made with a key for `users` as well. */
export const admissionSettings = ['registration', 'defaultPlan'] as const;

const namesOf = (settings: readonly string[]) => settings.map((name) => `\`${name}\``);

export const updateSettings = endpoint({
  method: 'PUT',
  path: '/api/settings',
  summary: 'Update settings; omitted fields are unchanged.',
  scopeRule:
    `Changing ${namesOf(trustSettings).join(', ')} or \`ssl.acmeDirectory\` takes a full key; ` +
    `${namesOf(admissionSettings).join(' and ')} take \`users:write\`.`,
  access: 'admin',
  scope: 'settings',
  body: settingsChange.partial(),
  reply: z.object({ message: z.string(), data: shown }),
});
