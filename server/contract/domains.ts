import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import {
  acknowledged,
  alwaysSent,
  identifier,
  listOf,
  loosened,
  pageCounts,
  paging,
  timestamp,
} from './envelope.ts';
import { marks, memberFilter } from './marks.ts';
import { edited } from './versions.ts';

const flag = z.union([z.literal(0), z.literal(1)]);

/** An application identifier prefix and a bundle identifier, as Apple writes them. */
const appleAppId = z
  .string()
  .regex(
    /^[A-Z0-9]{10}\.[A-Za-z0-9][A-Za-z0-9.-]{0,154}$/,
    'Enter the app ID as your prefix or team ID and the bundle ID, such as ABCDE12345.com.example.app.',
  );

/**
 * A path pattern of Apple's, encoded as in addresses: `*` stands for any characters, `?` for one. With `!` before it, the app opens no such
 * address.
 */
const appPath = z
  .string()
  .max(200, 'Use a path of at most 200 characters.')
  .regex(
    /^!?\/(?:[!$&-;=?-Z_a-z~]|%[0-9A-Fa-f]{2})*$/,
    'Enter a path that begins with a slash, such as /* or /app/*, without spaces; with ! before it the app does not open it.',
  );

const androidPackage = z
  .string()
  .max(255, 'Use a package name of at most 255 characters.')
  .regex(
    /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/,
    'Enter the package name of the app, such as com.example.app.',
  );

const certificateFingerprint = z
  .string()
  .regex(
    /^([0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}$/,
    'Enter the SHA-256 fingerprint of the signing certificate: 32 pairs of hexadecimal digits with colons between them.',
  );

/**
 * The apps that phones open in place of a domain's links: universal links of Apple's systems, App Links of Android. The
 * bounds keep Apple's file below its 128 KB.
 */
export const domainApps = z.object({
  apple: z
    .array(
      z.object({
        id: appleAppId,
        /**
         * Which addresses of the domain the app opens, all of them when none is named; those behind `!` never, wherever
         * they stand.
         */
        paths: z.array(appPath).max(20, 'Enter at most 20 paths.').default([]),
      }),
    )
    .max(10, 'Enter at most 10 apps.')
    .default([]),
  android: z
    .array(
      z.object({
        package: androidPackage,
        fingerprints: z
          .array(certificateFingerprint)
          .min(1, 'Enter at least one fingerprint.')
          .max(10, 'Enter at most 10 fingerprints.'),
      }),
    )
    .max(10, 'Enter at most 10 apps.')
    .default([]),
});
export type DomainApps = z.output<typeof domainApps>;

/** Contract, "Branded domain", whole: what this server answers. `id` is null on platform domains in lists. */
export const fullDomain = z.object({
  id: z.number().int().nullable(),
  platform: z.literal(true).optional(),
  domain: z.string(),
  redirectroot: z.string().nullable(),
  redirect404: z.string().nullable(),
  /** Ours: where links lead that have ended, or have not begun, and say nothing themselves. */
  redirectexpired: z.string().nullable(),
  redirectearly: z.string().nullable(),
  bioid: z.number().int().nullable(),
  /** Ours: the apps that open its links; null where there are none. */
  apps: domainApps.nullable(),
  logo: z.string().nullable(),
  favicon: z.string().nullable(),
  status: flag,
  dns_type: z.string(),
  dns_status: flag,
  ssl_status: flag,
  server_synced: flag,
  resolved_ip: z.string().nullable(),
  dns_checked_at: timestamp.nullable(),
  dns_failure_count: z.number().int(),
  ...marks,
});
export type FullDomain = z.output<typeof fullDomain>;

/** The same as clients take it: other servers leave out all but the first four in lists. */
export const brandedDomain = z.object({
  ...loosened(fullDomain).shape,
  ...fullDomain.pick({ id: true, domain: true, redirectroot: true, redirect404: true }).shape,
  platform: z.boolean().optional(),
  dns_type: alwaysSent(z.string().nullable()),
});
export type BrandedDomain = z.output<typeof brandedDomain>;

const address = z.string().max(8192, 'Use a URL of at most 8192 characters.');

/** `bioid` 0 is the same as null: none. */
const bioid = z
  .union(
    [z.number().int().nonnegative(), z.literal('0').transform(() => 0 as const), identifier],
    'Send the id of a bio page, or 0 for none.',
  )
  .nullable();

const domainFields = {
  redirectroot: address.nullable(),
  redirect404: address.nullable(),
  redirectexpired: address.nullable(),
  redirectearly: address.nullable(),
  bioid,
  /** Replaced as a whole; null takes all away. */
  apps: domainApps.nullable(),
  logo: address.nullable(),
  favicon: address.nullable(),
};

/** Ours, for administrators: offers the domain to everybody on some plans, or on all when none is named. */
const platformFields = {
  plans: z.array(identifier).max(100).nullable(),
};

export const newDomain = z.object({
  domain: z.string().min(1, 'Enter a hostname, such as go.example.com.').max(300, 'Enter a hostname.'),
  ...z.object(domainFields).partial().shape,
  platform: z.boolean().optional(),
  plans: platformFields.plans.optional(),
});
export type NewDomain = z.output<typeof newDomain>;

export const domainChange = z
  .object({
    ...domainFields,
    ...platformFields,
    /** Ours: switches a domain off and on again; it then has `status` 0. */
    disabled: z.boolean(),
  })
  .partial();
export type DomainChange = z.output<typeof domainChange>;

export const listDomains = endpoint({
  method: 'GET',
  path: '/api/domains',
  summary: 'List your branded domains, newest first, and the platform domains your plan includes.',
  scope: 'domains',
  query: z.object({ ...paging, ...memberFilter }),
  reply: listOf('domains', brandedDomain),
});

export const getDomain = endpoint({
  method: 'GET',
  path: '/api/domain/:id',
  summary: 'Get a branded domain.',
  scope: 'domains',
  reply: z.object({ data: brandedDomain }),
});

/** Contract: the reply of other servers may be the id alone. */
export const addDomain = endpoint({
  method: 'POST',
  path: '/api/domain/add',
  summary: 'Add a branded domain that already points to this server.',
  scope: 'domains',
  status: 201,
  body: newDomain,
  reply: z.object({
    id: z.number().int(),
    message: alwaysSent(z.string()),
    data: alwaysSent(
      z.object({
        id: z.number().int(),
        domain: z.string(),
        redirectroot: z.string().nullable(),
        dns_type: z.string(),
        dns_status: flag,
        server_synced: flag,
        resolved_ip: z.string().nullable(),
      }),
    ),
  }),
});

export const updateDomain = endpoint({
  method: 'PUT',
  path: '/api/domain/:id/update',
  summary: 'Update a branded domain; omitted fields are unchanged.',
  scope: 'domains',
  body: domainChange,
  reply: z.object({
    ...edited.shape,
    data: alwaysSent(
      z.object({ id: z.number().int(), domain: z.string(), redirectroot: z.string().nullable() }),
    ),
  }),
});

export const checkDomain = endpoint({
  method: 'POST',
  path: '/api/domain/:id/check',
  summary: "Check the domain's DNS now, and verify ownership if that is missing.",
  scope: 'domains',
  bodyOptional: true,
  reply: z.object({
    message: z.string(),
    data: z.object({
      id: z.number().int(),
      dns_type: z.string(),
      dns_status: flag,
      resolved_ip: z.string().nullable(),
      dns_checked_at: timestamp.nullable(),
    }),
  }),
});

export const deleteDomain = endpoint({
  method: 'DELETE',
  path: '/api/domain/:id/delete',
  summary: "Delete a branded domain; its links move to the instance's own URL.",
  scope: 'domains',
  reply: acknowledged,
});

/** What happened to a domain, in the words of the timeline. `failed` entries say why in `message`. */
export const domainEvents = [
  'added',
  'dns_passed',
  'dns_failed',
  'proof_missing',
  'proved',
  'activated',
  'enabled',
  'disabled',
  'certificate_issued',
  'certificate_failed',
  'certificate_revoked',
] as const;
export type DomainEvent = (typeof domainEvents)[number];

export const domainLogEntry = z.object({
  id: z.number().int(),
  event: z.enum(domainEvents),
  message: z.string(),
  date: timestamp,
});
export type DomainLogEntry = z.output<typeof domainLogEntry>;

/** Ours: the log of one domain, newest first, with what the published record does not tell. */
export const domainLog = endpoint({
  method: 'GET',
  path: '/api/domain/:id/log',
  summary: 'Get the log of a branded domain and its next check.',
  scope: 'domains',
  query: z.object(paging),
  reply: z.object({
    data: z.object({
      ...pageCounts,
      log: z.array(domainLogEntry),
      /** Whether its owner switched it off. */
      disabled: z.boolean(),
      /** When the job looks at it again, at the earliest. */
      nextcheck: timestamp.nullable(),
      /** The end of its certificate, and when the next attempt to get one is made after a failed one. */
      certificate: z.object({ expires: timestamp.nullable(), nextattempt: timestamp.nullable() }),
    }),
  }),
});

const dnsRecord = z.object({
  type: z.enum(['A', 'AAAA', 'CNAME', 'ALIAS']),
  /** As one enters it at the provider of the zone: `go`, or `@` for the zone itself. */
  name: z.string(),
  value: z.string(),
});
export type DnsRecord = z.output<typeof dnsRecord>;

/**
 * `proved`: the domain is the account's. `automatic`: it resolves to an address of this server, which will do unless
 * another server answers there. `pending`: the record or the file has to be found first.
 */
export const proofStates = ['proved', 'automatic', 'pending'] as const;
export type ProofState = (typeof proofStates)[number];

/** Ours: what proves that a host is the account's; one of record and file is enough. */
const domainProof = z.object({
  state: z.enum(proofStates),
  /** When the domain is removed unless it is proved before; null once it is proved, and before it is added. */
  lapses: timestamp.nullable(),
  /** A record of the zone. `name` is as one enters it at the provider. */
  record: z.object({ type: z.literal('TXT'), name: z.string(), value: z.string() }),
  /** The whole content of a file on the host, which this server answers with by itself when the host leads here. */
  file: z.object({ url: z.string(), content: z.string() }),
});
export type DomainProof = z.output<typeof domainProof>;

const domainSetup = z.object({
  /** The host in the form that is stored. */
  domain: z.string(),
  zone: z.string(),
  apex: z.boolean(),
  /** Records to create, all of them; empty while the instance does not know its own address. */
  records: z.array(dnsRecord),
  /** Other records that do as well. */
  alternative: z.array(dnsRecord),
  /** What the host resolves to now. */
  resolved: z.array(z.string()),
  outcome: z.enum(['passed', 'mismatch', 'unanswered']),
  /** What was found out, as a sentence. */
  message: z.string(),
  /** Servers from before domains were proved have none. */
  proof: alwaysSent(domainProof),
});
export type DomainSetup = z.output<typeof domainSetup>;

/** Ours: what a host needs in the DNS, before it is added. 400 like `add` for hosts that cannot be added. */
export const previewDomain = endpoint({
  method: 'GET',
  path: '/api/domains/setup',
  summary: 'Get the required and the current DNS records of a host before adding it.',
  scope: 'domains',
  query: z.object({
    domain: newDomain.shape.domain,
    /** 1 for a platform domain, which is proved by another record than one's own. */
    platform: z.enum(['0', '1']).optional(),
  }),
  reply: z.object({ data: domainSetup }),
});

/** Ours: the same for a domain that was added. */
export const getDomainSetup = endpoint({
  method: 'GET',
  path: '/api/domain/:id/setup',
  summary: 'Get the required and the current DNS records of a branded domain.',
  scope: 'domains',
  reply: z.object({ data: domainSetup }),
});

/** Ours: what the caller has on each domain, in the order and pages of the list of domains. */
export const domainOverview = endpoint({
  method: 'GET',
  path: '/api/domains/overview',
  summary: 'Count your links, files, bio pages and campaigns on each domain.',
  scope: 'domains',
  query: z.object(paging),
  reply: z.object({
    data: z.object({
      domains: z.array(
        z.object({
          domain: z.string(),
          links: z.number().int(),
          files: z.number().int(),
          bios: z.number().int(),
          campaigns: z.number().int(),
          disabled: z.boolean(),
          /** Whether it is proved whose it is; short links on it work only then. */
          proof: alwaysSent(z.enum(proofStates)),
          /** The end of its certificate. */
          expires: timestamp.nullable(),
        }),
      ),
    }),
  }),
});
export type DomainUse = z.output<typeof domainOverview.reply>['data']['domains'][number];

/** The state of the job that activates domains (decision 0029). */
export const domainSync = z.object({
  running: z.boolean(),
  /** Minutes between two runs. */
  interval: z.number(),
  laststarted: timestamp.nullable(),
  lastfinished: timestamp.nullable(),
  outcome: z.enum(['done', 'failed']).nullable(),
  nextrun: timestamp.nullable(),
  /** Metrics of the last run that finished. */
  checked: z.number().int(),
  activated: z.number().int(),
  failed: z.number().int(),
  certificates: z.number().int(),
  ssl: z.enum(['off', 'external', 'local', 'acme']),
  /** The certificate of the instance's own address; null while none is to be had. */
  own: z
    .object({
      names: z.array(z.string()),
      expires: timestamp.nullable(),
      /** When the next attempt is made after a failed one, and why that failed. */
      nextattempt: timestamp.nullable(),
      message: z.string().nullable(),
      /** SHA-256 of the root of the local authority, which devices have to trust. */
      root: z.string().nullable(),
    })
    .nullable(),
});
export type DomainSync = z.output<typeof domainSync>;

export const getDomainSync = endpoint({
  method: 'GET',
  path: '/api/domains/sync',
  summary: 'Get the last and next run of the domain check.',
  access: 'admin',
  scope: 'domains',
  reply: z.object({ data: domainSync }),
});

export const runDomainSync = endpoint({
  method: 'POST',
  path: '/api/domains/sync',
  summary: 'Run the domain check now.',
  access: 'admin',
  scope: 'domains',
  bodyOptional: true,
  reply: z.object({ message: z.string(), data: domainSync }),
});

/** Ours: platform domains with the ids that lists do not show. */
export const listPlatformDomains = endpoint({
  method: 'GET',
  path: '/api/domains/platform',
  summary: 'List platform domains with their ids and plans.',
  access: 'admin',
  scope: 'domains',
  query: z.object(paging),
  reply: listOf(
    'domains',
    fullDomain.extend({ id: z.number().int(), plans: z.array(z.number().int()).nullable() }),
  ),
});
