/** Chunks that a body may have regardless of its size, and the minimum average size of further chunks, in bytes. */
const freePieces = 1_000;
const leastBytes = 32;

/**
 * Checks the chunks in which a body arrives. The returned function is called for each and returns whether there are
 * too many for their size: a packet holds ten thousand one-byte chunks (RFC 9112, 7.1), and processing each one would
 * block redirects for a tenth of a second.
 */
export function pieceCheck(): (piece: Buffer) => boolean {
  let pieces = 0;
  let bytes = 0;
  return (piece) => {
    pieces += 1;
    bytes += piece.length;
    return pieces > freePieces + bytes / leastBytes;
  };
}
