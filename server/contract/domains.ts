import { z } from 'zod';
import { editInfo, memberFilter } from './edit-info.ts';
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
import { edited } from './versions.ts';

const flag = z.union([z.literal(0), z.literal(1)]);

/** Application identifier prefix and bundle identifier, in Apple's format. */
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
 * Apps that open a domain's links: universal links on Apple platforms, App Links on Android. The limits keep Apple's
 * file below 128 KB.
 */
export const domainApps = z.object({
  apple: z
    .array(
      z.object({
        id: appleAppId,
        /** Paths that the app opens; all if empty. Paths with `!` are excluded regardless of order. */
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

/** Contract, "Branded domain", as this server returns it. `id` is null for platform domains in lists. */
export const fullDomain = z.object({
  id: z.number().int().nullable(),
  platform: z.literal(true).optional(),
  domain: z.string(),
  redirectroot: z.string().nullable(),
  redirect404: z.string().nullable(),
  /** Ours: the fallback for links that have expired or not yet started and have no URL of their own for that. */
  redirectexpired: z.string().nullable(),
  redirectearly: z.string().nullable(),
  bioid: z.number().int().nullable(),
  /** Ours: the apps that open its links; null if there are none. */
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
  ...editInfo,
});
export type FullDomain = z.output<typeof fullDomain>;

/** The same as clients accept it: in lists, other servers omit all but the first four fields. */
export const brandedDomain = z.object({
  ...loosened(fullDomain).shape,
  ...fullDomain.pick({ id: true, domain: true, redirectroot: true, redirect404: true }).shape,
  platform: z.boolean().optional(),
  dns_type: alwaysSent(z.string().nullable()),
});
export type BrandedDomain = z.output<typeof brandedDomain>;

const address = z.string().max(8192, 'Use a URL of at most 8192 characters.');

/** `bioid` 0 means none, like null. */
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
  /** Replaced as a whole; null removes all. */
  apps: domainApps.nullable(),
  logo: address.nullable(),
  favicon: address.nullable(),
};

/** Ours, for administrators: offers the domain to all accounts on the given plans, or on any plan if none is given. */
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
    /** Ours: disables or enables a domain; a disabled one has `status` 0. */
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

/** Contract: other servers may return only the id. */
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

/** Timeline events of a domain. `failed` entries have a reason in `message`. */
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

/**
 * What a check found. DNS: the host points here, to Cloudflare's proxies, elsewhere or nowhere, nobody answered, or the
 * instance does not know its own address. Ownership: the TXT record, the file or the address verified it. Certificate:
 * the authority cannot be reached, or refused.
 */
const domainReasons = [
  'direct',
  'cloudflare',
  'elsewhere',
  'unresolved',
  'unanswered',
  'address_unknown',
  'record',
  'file',
  'address',
  'unreachable',
  'refused',
] as const;

/** The facts behind a `message`, for clients that have sentences of their own. */
export const domainDetails = z.object({
  reason: z.enum(domainReasons).optional(),
  /** What the host resolves to. */
  address: z.string().optional(),
  /** The end of a certificate, or when an unverified domain is removed. */
  until: timestamp.optional(),
  /** What the certificate authority said, in its own words. */
  answer: z.string().optional(),
});
export type DomainDetails = z.output<typeof domainDetails>;

export const domainLogEntry = z.object({
  id: z.number().int(),
  event: z.enum(domainEvents),
  message: z.string(),
  /** Null in entries from versions without it. */
  details: alwaysSent(domainDetails.nullable()),
  date: timestamp,
});
export type DomainLogEntry = z.output<typeof domainLogEntry>;

/** Ours: a domain's log, newest first, with details missing from the published record. */
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
      /** Whether its owner disabled it. */
      disabled: z.boolean(),
      /** The earliest time of the next check. */
      nextcheck: timestamp.nullable(),
      /** When its certificate expires, and when issuing is retried after a failure. */
      certificate: z.object({ expires: timestamp.nullable(), nextattempt: timestamp.nullable() }),
    }),
  }),
});

const dnsRecord = z.object({
  type: z.enum(['A', 'AAAA', 'CNAME', 'ALIAS']),
  /** The record name as entered at the DNS provider: `go`, or `@` for the zone itself. */
  name: z.string(),
  value: z.string(),
});
export type DnsRecord = z.output<typeof dnsRecord>;

/**
 * `proved`: the account has proved ownership. `automatic`: it resolves to this server, which is sufficient unless
 * another server answers there. `pending`: the DNS record or the file has not been found yet.
 */
export const proofStates = ['proved', 'automatic', 'pending'] as const;
export type ProofState = (typeof proofStates)[number];

/** Ours: proof of ownership of a host; either the record or the file is enough. */
const domainProof = z.object({
  state: z.enum(proofStates),
  /** When an unproved domain will be removed; null once proved, and before it is added. */
  lapses: timestamp.nullable(),
  /** A DNS record. `name` is as entered at the DNS provider. */
  record: z.object({ type: z.literal('TXT'), name: z.string(), value: z.string() }),
  /** The content of a file on the host; this server serves it automatically if the host points here. */
  file: z.object({ url: z.string(), content: z.string() }),
});
export type DomainProof = z.output<typeof domainProof>;

const domainSetup = z.object({
  /** The normalized host name. */
  domain: z.string(),
  zone: z.string(),
  apex: z.boolean(),
  /** All records to create; empty while the instance does not know its own address. */
  records: z.array(dnsRecord),
  /** Alternative records. */
  alternative: z.array(dnsRecord),
  /** The addresses that the host currently resolves to. */
  resolved: z.array(z.string()),
  outcome: z.enum(['passed', 'mismatch', 'unanswered']),
  /** The result as a sentence. */
  message: z.string(),
  details: alwaysSent(domainDetails),
  /** Absent on servers from before domains had to be proved. */
  proof: alwaysSent(domainProof),
});
export type DomainSetup = z.output<typeof domainSetup>;

/** Ours: the DNS records that a host needs before it is added. Returns 400 like `add` for invalid hosts. */
export const previewDomain = endpoint({
  method: 'GET',
  path: '/api/domains/setup',
  summary: 'Get the required and the current DNS records of a host before adding it.',
  scope: 'domains',
  query: z.object({
    domain: newDomain.shape.domain,
    /** 1 for a platform domain, which needs a different record. */
    platform: z.enum(['0', '1']).optional(),
  }),
  reply: z.object({ data: domainSetup }),
});

/** Ours: the same for an existing domain. */
export const getDomainSetup = endpoint({
  method: 'GET',
  path: '/api/domain/:id/setup',
  summary: 'Get the required and the current DNS records of a branded domain.',
  scope: 'domains',
  reply: z.object({ data: domainSetup }),
});

/** Ours: the caller's records on each domain, with the order and paging of the domain list. */
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
          /** The state of the ownership proof; short links only work once it is proved. */
          proof: alwaysSent(z.enum(proofStates)),
          /** When its certificate expires. */
          expires: timestamp.nullable(),
        }),
      ),
    }),
  }),
});
export type DomainUse = z.output<typeof domainOverview.reply>['data']['domains'][number];

/** The state of the domain activation job (decision 0029). */
export const domainSync = z.object({
  running: z.boolean(),
  /** Minutes between runs. */
  interval: z.number(),
  laststarted: timestamp.nullable(),
  lastfinished: timestamp.nullable(),
  outcome: z.enum(['done', 'failed']).nullable(),
  nextrun: timestamp.nullable(),
  /** Metrics of the last finished run. */
  checked: z.number().int(),
  activated: z.number().int(),
  failed: z.number().int(),
  certificates: z.number().int(),
  ssl: z.enum(['off', 'external', 'local', 'acme']),
  /** The certificate of the instance's own host; null if none can be issued. */
  own: z
    .object({
      names: z.array(z.string()),
      expires: timestamp.nullable(),
      /** When issuing is retried after a failure, and the reason of the failure. */
      nextattempt: timestamp.nullable(),
      message: z.string().nullable(),
      /** SHA-256 of the local certificate authority's root, which devices have to trust. */
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

/** Ours: platform domains with their ids, which other lists omit. */
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
