import { createHash } from 'node:crypto';
import type { AnyEndpoint } from '../../contract/endpoint.ts';
import { gzipped } from '../../platform/http/content-coding.ts';
import { openApiDocument } from './openapi.ts';

interface Options {
  /** Asked when the document is first wanted: the endpoints are known only when everything is wired. */
  endpoints: () => readonly AnyEndpoint[];
  version: string;
}

interface Representation {
  /** The document as JSON, possibly compressed. */
  body: Buffer;
  /** Strong entity tag, which differs with the coding (RFC 9110, section 8.8.3). */
  etag: string;
}

export type OpenApiAnswer = Readonly<Record<'plain' | 'gzip', Representation>>;

/**
 * Answers the OpenAPI document from memory. It is built with the first request, one operation a turn of the event loop,
 * so that redirects are answered in between; who asks meanwhile waits for the same document.
 */
export function openApiAnswer({ endpoints, version }: Options): () => Promise<OpenApiAnswer> {
  let answer: Promise<OpenApiAnswer> | undefined;

  async function build(): Promise<OpenApiAnswer> {
    const document = await openApiDocument(endpoints(), version, letOthersThrough);
    const body = Buffer.from(JSON.stringify(document));
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 27);
    const compressed = await gzipped(body);
    return { plain: { body, etag: `"${hash}"` }, gzip: { body: compressed, etag: `"${hash}-gzip"` } };
  }

  return () => {
    answer ??= build().catch((error: unknown) => {
      // The next request tries again.
      answer = undefined;
      throw error;
    });
    return answer;
  };
}

function letOthersThrough(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
