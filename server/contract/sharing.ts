import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** `port_taken`: another program uses the port by which others know this instance. */
const httpsProblem = z.object({
  code: z.enum(['certificate', 'network', 'port_taken']),
  message: z.string(),
});
export type HttpsProblem = z.output<typeof httpsProblem>;

/** How other machines in the network reach the instance. */
export const sharingState = z.object({
  sharing: z.boolean(),
  /** Whether it is fixed by a startup option. */
  fixed: z.boolean(),
  /** This machine's name in the network. */
  name: z.string(),
  /** URLs for other machines; IP addresses come first. */
  addresses: z.array(z.object({ address: z.string(), url: z.string() })),
  /** The same for HTTPS, with the root certificate; null if not available. */
  https: z
    .object({
      urls: z.array(z.string()),
      /** SHA-256 of the root that devices have to trust; null with a public authority. */
      fingerprint: z.string().nullable(),
    })
    .nullable(),
  /** Why HTTPS is unavailable in the network or on some addresses; null if all is well. */
  httpsProblem: httpsProblem.nullable(),
  /** Whether keys and passwords are also accepted unencrypted. */
  plain: z.boolean(),
  /** Why the server does not listen on some address, as a sentence. */
  problem: z.string().nullable(),
});
export type SharingState = z.output<typeof sharingState>;

export const getSharing = endpoint({
  method: 'GET',
  path: '/api/sharing',
  summary: 'Get whether and where the network can reach this instance.',
  access: 'admin',
  scope: 'settings',
  reply: z.object({ data: sharingState }),
});

/** Another instance announced in the network. Its data is untrusted. */
export const nearbyInstance = z.object({
  name: z.string(),
  url: z.string(),
  /** Its announced HTTPS URL and the SHA-256 of its root: unverified hints. */
  secureUrl: z.string().nullable(),
  fingerprint: z.string().nullable(),
});
export type NearbyInstance = z.output<typeof nearbyInstance>;

export const findNearby = endpoint({
  method: 'GET',
  path: '/api/sharing/nearby',
  summary: 'Find other instances on the network by mDNS; takes two seconds.',
  access: 'admin',
  scope: 'settings',
  reply: z.object({ data: z.array(nearbyInstance) }),
});
