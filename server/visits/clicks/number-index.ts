/** A set of distinct numbers in insertion order, with look-up by value. */
export interface NumberIndex {
  size(): number;
  /** The index of a number; a new number is appended. */
  placeOf(value: number): number;
  /** The numbers in order; read them before adding another. */
  values(): Float64Array;
}

/**
 * An index of integers up to 2^53. A `Map` or `Set` would allocate an object for each and be scanned by every garbage
 * collection while it grows, delaying redirects; these are two flat arrays.
 */
export function numberIndex(): NumberIndex {
  // Small enough for both to be allocated on the heap: most links have few visitors.
  let values = new Float64Array(8);
  /** Slots by hash, each the index plus one; 0 is free. At least half of them are. */
  let places = new Int32Array(16);
  let size = 0;

  function slotOf(value: number): number {
    const last = places.length - 1;
    let slot = hashOf(value) & last;
    for (;;) {
      const place = places[slot] as number;
      if (place === 0 || values[place - 1] === value) return slot;
      slot = (slot + 1) & last;
    }
  }

  function grow(): void {
    const larger = new Float64Array(2 * values.length);
    larger.set(values);
    values = larger;
    places = new Int32Array(2 * values.length);
    for (let place = 0; place < size; place += 1) places[slotOf(values[place] as number)] = place + 1;
  }

  function placeOf(value: number): number {
    const slot = slotOf(value);
    const found = places[slot] as number;
    if (found !== 0) return found - 1;
    if (size === values.length) {
      grow();
      return placeOf(value);
    }
    values[size] = value;
    size += 1;
    places[slot] = size;
    return size - 1;
  }

  return { size: () => size, placeOf, values: () => values.subarray(0, size) };
}

/** The upper bits of a product: neighboring ids and hash bits spread equally well. */
function hashOf(value: number): number {
  return Math.imul((value | 0) ^ Math.floor(value / 2 ** 32), 0x9e3779b1) >>> 8;
}
