import { readBounded } from '../requests/bounded-body.ts';
import type { Fetcher } from '../requests/fetcher.ts';
import type { Instances } from './instances.ts';
import type { Target } from './target.ts';

/** The pictures that an instance serves (avatars, QR codes), for the page's <img>. */
export interface InstanceImages {
  /**
   * `path` is what follows the instance's origin, query included. The picture, or an empty 404: whatever is wrong with
   * it, the page shows its placeholder.
   */
  load(instanceId: string, path: string): Promise<Response>;
}

interface InstanceImagesOptions {
  instances: Pick<Instances, 'reachTarget'>;
  fetchers: Record<Target['kind'], Fetcher>;
}

const TIMEOUT = 15_000;
const MAX_SIZE = 2 * 1024 * 1024;

/** An SVG shares the page's origin here; opened as a document it must still do nothing. */
const inertPicture = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** Pictures are public, so no key travels with the request (T-29). */
export function instanceImages({ instances, fetchers }: InstanceImagesOptions): InstanceImages {
  async function load(instanceId: string, path: string): Promise<Response> {
    const signal = AbortSignal.timeout(TIMEOUT);
    const target = await instances.reachTarget(instanceId, signal);
    // The interface answers JSON; only pages' own pictures are of use here.
    if (!target || path.startsWith('/api/')) return notFound();
    const response = await fetchers[target.kind](target.origin + path, {
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      return notFound();
    }
    const bytes = await readBounded(response, MAX_SIZE);
    const type = pictureType(bytes);
    if (!type) return notFound();
    return new Response(new Uint8Array(bytes), {
      headers: { 'content-type': type, 'content-security-policy': inertPicture },
    });
  }

  return {
    load: (instanceId, path) =>
      load(instanceId, path).catch(() => {
        // Not reachable, too large, a redirect: for an <img> all the same.
        return notFound();
      }),
  };
}

/** What the bytes are, whatever the server says they are. */
function pictureType(bytes: Buffer): string | undefined {
  const starts = (signature: string) => bytes.subarray(0, signature.length).toString('latin1') === signature;
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts('\xff\xd8\xff')) return 'image/jpeg';
  if (starts('GIF87a') || starts('GIF89a')) return 'image/gif';
  if (starts('RIFF') && bytes.subarray(8, 12).toString('latin1') === 'WEBP') return 'image/webp';
  return /^(\ufeff)?\s*(<\?xml[^>]*\?>\s*)?(<!--[^>]*-->\s*)*<svg[\s>]/.test(
    bytes.subarray(0, 1_000).toString('utf8'),
  )
    ? 'image/svg+xml'
    : undefined;
}

function notFound(): Response {
  return new Response(null, { status: 404 });
}
