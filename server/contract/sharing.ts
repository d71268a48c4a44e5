import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** `port_taken`: another program has the port that others know this instance by. */
const httpsProblem = z.object({
  code: z.enum(['certificate', 'network', 'port_taken']),
  message: z.string(),
});
export type HttpsProblem = z.output<typeof httpsProblem>;

/** How other machines of the network reach the instance. */
export const sharingState = z.object({
  sharing: z.boolean(),
  /** Whether the start of the server decided it. */
  fixed: z.boolean(),
  /** The name that this machine has in the network. */
  name: z.string(),
  /** Where it can be opened from other machines; those that need no name first. */
  addresses: z.array(z.object({ address: z.string(), url: z.string() })),
  /** The same over HTTPS, with what its certificate goes back to; null while there is none. */
  https: z
    .object({
      urls: z.array(z.string()),
      /** SHA-256 of the root that devices have to trust; null with a public authority. */
      fingerprint: z.string().nullable(),
    })
    .nullable(),
  /** Why there is no HTTPS in the network, or not on all addresses; null while nothing is wrong. */
  httpsProblem: httpsProblem.nullable(),
  /** Whether keys and passwords are taken without encryption, too. */
  plain: z.boolean(),
  /** Why some address is not listened on, as a sentence. */
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

/** Another instance that tells of itself in the network. Its words are a stranger's. */
export const nearbyInstance = z.object({
  name: z.string(),
  url: z.string(),
  /** Where it says that it answers over HTTPS, and the SHA-256 of the root there: hints, which prove nothing. */
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
