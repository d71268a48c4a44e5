/** Pieces that a body may have whatever its size, and how large the rest of them must be on average, in bytes. */
const freePieces = 1_000;
const leastBytes = 32;

/**
 * Looks at the pieces in which a body arrives. The function that it returns is told of each and says whether they are
 * too many for their size: a packet holds ten thousand chunks of a byte (RFC 9112, 7.1), and looking at each one by
 * itself would take a tenth of a second in which no redirect is answered.
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
