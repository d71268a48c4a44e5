import { z } from 'zod';
import { getMeta, type InstanceMeta } from '../../server/contract/instance.ts';
import { safeParse } from '../../server/contract/safe-parse.ts';
import type { Call } from './client.ts';
import { ApiFailure } from './failure.ts';

/** Value of `meta.contract` for servers with the published contract that do not have `/api/meta`. */
const publishedContract = 'published';

/**
 * Describes a server. Without `/api/meta`, the description is limited: features are detected by `probeFeatures`, which
 * requires a key. Throws ApiFailure if the server does not respond, or the response is inconclusive.
 */
export async function describeServer(at: Call, origin: string): Promise<InstanceMeta> {
  try {
    return (await at(getMeta)).data;
  } catch (error) {
    if (!isUnknownHere(error)) throw error;
    return {
      name: URL.canParse(origin) ? new URL(origin).host : origin,
      version: '',
      contract: publishedContract,
      features: [],
      setup: false,
    };
  }
}

/** Whether a server supports only the base contract: no sessions, no live stream, lists without editing. */
export function isBaseContract(meta: InstanceMeta | undefined): boolean {
  return meta?.contract === publishedContract;
}

/** How long detected features of base contract servers are cached, in milliseconds. */
const probeLasts = 24 * 60 * 60 * 1000;

const probed = z.object({ features: z.array(z.string()), at: z.number() });

/**
 * The features of a base contract server: recently detected ones from `storage` under `key`, else by probing. Throws
 * ApiFailure like `probeFeatures`.
 */
export async function featuresOf(at: Call, storage: Storage, key: string): Promise<string[]> {
  const stored = safeParse(probed, parsedOrNull(storage.getItem(key)));
  if (stored.success && Date.now() - stored.data.at < probeLasts) return stored.data.features;
  const features = await probeFeatures(at);
  storage.setItem(key, JSON.stringify({ features, at: Date.now() }));
  return features;
}

function parsedOrNull(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    // Nothing stored, or in an unknown format.
    return null;
  }
}

/**
 * Probes which lists the server supports in a known format. Throws ApiFailure if the connection is lost or the key
 * rejected in the meantime, since the responses are then inconclusive.
 */
async function probeFeatures(at: Call): Promise<string[]> {
  // Loaded on demand: the contracts of all lists would delay the first page, and only base contract servers need them.
  const { probes } = await import('./list-probes.ts');
  const found = await Promise.all(
    probes.map(async ([feature, list]) => {
      try {
        await at(list, { query: { limit: 1 } });
        return [feature];
      } catch (error) {
        if (isUnknownHere(error)) return [];
        throw error;
      }
    }),
  );
  return ['2fa', ...found.flat()];
}

/** Whether an error means that the server does not support the list. The contract does not specify status codes. */
function isUnknownHere(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return false;
  if (error.kind !== 'refused' && error.kind !== 'malformed' && error.kind !== 'unauthorized') return false;
  return [200, 400, 401, 403, 404, 405, 501].includes(error.status);
}
