/**
 * A number from 0 to below 100, the same for all visits of a visitor to a link on one day (like the hash).
 * `purpose` keeps the draws for rules and for A/B tests apart.
 */
export function share(visitorHash: number, linkId: number, purpose: 'rule' | 'test'): number {
  // Mixes the bits like MurmurHash3's finalizer, so that neighboring hashes do not get similar numbers.
  let mixed = (visitorHash ^ Math.imul(linkId + (purpose === 'test' ? 0x9e3779b9 : 1), 0x85ebca6b)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32) * 100;
}
