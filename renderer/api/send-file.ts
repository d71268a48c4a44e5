import type { ApiReply } from '../../preload/contract.ts';
import { ApiFailure } from './failure.ts';

interface Sending {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly file: Blob;
  /** Called with the progress, from 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

/**
 * POSTs a file as the raw body. Uses XMLHttpRequest, because `fetch` does not report upload progress. The browser
 * streams the file, so its size does not matter. Throws ApiFailure, or an AbortError when `signal` aborts.
 */
export function sendFile({ address, headers, file, onProgress, signal }: Sending): Promise<ApiReply> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(givenUp());
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('POST', address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable && event.total > 0) onProgress(event.loaded / event.total);
    });
    request.addEventListener('load', () =>
      resolve({
        status: request.status,
        headers: readHeaders(request),
        body: parsedOrNull(request.responseText),
      }),
    );
    request.addEventListener('error', () =>
      reject(
        new ApiFailure('unreachable', 'The connection was lost while the file was sent.', {
          code: 'offline',
        }),
      ),
    );
    request.addEventListener('abort', () => reject(givenUp()));
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
    signal.addEventListener('abort', abort, { once: true });
    request.send(file);
  });
}

function givenUp(): DOMException {
  return new DOMException('The upload was given up.', 'AbortError');
}

function readHeaders(request: XMLHttpRequest): Record<string, string> {
  const wait = request.getResponseHeader('retry-after');
  return wait === null ? {} : { 'retry-after': wait };
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy's HTML page, or an empty body: reported as malformed by the caller.
    return null;
  }
}
