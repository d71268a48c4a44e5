import { readBounded } from '../requests/bounded-body.ts';
import type { Fetcher } from '../requests/fetcher.ts';
import type { Instances } from './instances.ts';
import type { Target } from './target.ts';

/** Images served by an instance (avatars, QR codes), for the page's `<img>` elements. */
export interface InstanceImages {
  /**
   * Loads an image; `path` follows the instance's origin and includes the query. Returns an empty 404 on any failure,
   * for which the page shows a placeholder.
   */
  load(instanceId: string, path: string): Promise<Response>;
}

interface InstanceImagesOptions {
  instances: Pick<Instances, 'reachTarget'>;
  fetchers: Record<Target['kind'], Fetcher>;
}

const TIMEOUT = 15_000;
const MAX_SIZE = 2 * 1024 * 1024;

/** SVGs share the page's origin here; opened as a document, one must not be able to run anything. */
const inertPicture = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** Creates the image loader. Images are public, so requests carry no key (T-29). */
export function instanceImages({ instances, fetchers }: InstanceImagesOptions): InstanceImages {
  async function load(instanceId: string, path: string): Promise<Response> {
    const signal = AbortSignal.timeout(TIMEOUT);
    const target = await instances.reachTarget(instanceId, signal);
    // API endpoints return JSON, never images.
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
        // Unreachable, too large or a redirect: an `<img>` treats them alike.
        return notFound();
      }),
  };
}

/** The type according to the file signature; the server's Content-Type is not trusted. */
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
