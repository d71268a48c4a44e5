/** Thrown when a body exceeds its limit. */
export class BodyTooLarge extends Error {}

/**
 * Reads a response body of at most `limit` bytes, counted while streaming, because the server may send without end or a
 * wrong length. Throws BodyTooLarge, or the stream's error.
 */
export async function readBounded(response: Response, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (!response.body) return Buffer.alloc(0);
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    size += value.byteLength;
    if (size > limit) {
      await reader.cancel().catch(() => {
        // Already disconnected, which is the goal.
      });
      throw new BodyTooLarge();
    }
    chunks.push(value);
  }
}
