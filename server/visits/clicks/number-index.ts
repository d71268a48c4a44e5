/** Different numbers in the order in which they came, found by their value. */
export interface NumberIndex {
  size(): number;
  /** Where a number is; it is added at the end when it is new. */
  placeOf(value: number): number;
  /** The numbers, in order; to be read before another one is added. */
  values(): Float64Array;
}

/**
 * An index for whole numbers up to 2^53. A `Map` or `Set` would keep each in an object of its own and be walked by
 * every garbage collection while it grows, with redirects waiting; these are two flat lists.
 */
export function numberIndex(): NumberIndex {
  // So small that both lie on the heap: most links have few visitors.
  let values = new Float64Array(8);
  /** Places by hash, each one more than it is; 0 is free. At least half of them are. */
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

/** The upper bits of a product: neighbouring ids and the bits of a hash spread alike. */
function hashOf(value: number): number {
  return Math.imul((value | 0) ^ Math.floor(value / 2 ** 32), 0x9e3779b1) >>> 8;
}
