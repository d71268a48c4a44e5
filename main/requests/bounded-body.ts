/** A body is larger than allowed. */
export class BodyTooLarge extends Error {}

/**
 * Reads a response's body, counting while it streams: a server that never stops, or lies about the length, costs no
 * more than `limit` bytes. Throws BodyTooLarge, or what the stream failed with.
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
        // The connection is gone, which is what was wanted.
      });
      throw new BodyTooLarge();
    }
    chunks.push(value);
  }
}
