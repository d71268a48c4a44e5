import { z } from 'zod';
import { getMeta, type InstanceMeta } from '../../server/contract/instance.ts';
import { safeParse } from '../../server/contract/safe-parse.ts';
import type { Call } from './client.ts';
import { ApiFailure } from './failure.ts';

/** What `meta.contract` says of a server that speaks the published contract and has no `/api/meta`. */
const publishedContract = 'published';

/**
 * What a server is. One that has no `/api/meta` is described as far as that goes: its features are found out by
 * `probeFeatures`, which needs a key. Throws ApiFailure when there is no answer, or one that says nothing either way.
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

/** Whether a server has only what the published contract has: no sessions, no live stream, lists without editing. */
export function isBaseContract(meta: InstanceMeta | undefined): boolean {
  return meta?.contract === publishedContract;
}

/** How long is believed what a plain server was found to have. Milliseconds. */
const probeLasts = 24 * 60 * 60 * 1000;

const probed = z.object({ features: z.array(z.string()), at: z.number() });

/**
 * Which features a plain server has: what was found out lately and lies in `storage` under `key`, else what it answers
 * now. Throws ApiFailure as `probeFeatures`.
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
    // Nothing was stored, or not by us.
    return null;
  }
}

/**
 * The lists that a server answers in a way that we can read. Throws ApiFailure when the connection or the key is lost
 * meanwhile, because then the answers say nothing.
 */
async function probeFeatures(at: Call): Promise<string[]> {
  // No other server is asked for these, whose contracts the first page would have to wait for.
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

/** Whether an answer means that the server has no such thing. The contract leaves the status codes open. */
function isUnknownHere(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return false;
  if (error.kind !== 'refused' && error.kind !== 'malformed' && error.kind !== 'unauthorized') return false;
  return [200, 400, 401, 403, 404, 405, 501].includes(error.status);
}
