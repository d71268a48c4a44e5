export interface BoundedCache<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
}

/**
 * A cache of at most twice `generation` entries in two generations: used entries are kept, entries not used since the
 * last change of generation are evicted. A hit costs one look-up and no reordering, unlike an exact LRU. `weightOf`
 * makes large entries count as several.
 */
export function boundedCache<Key, Value>(
  generation: number,
  weightOf: (value: Value) => number = () => 1,
): BoundedCache<Key, Value> {
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();
  let weight = 0;

  function set(key: Key, value: Value): void {
    const added = weightOf(value);
    if (weight + added > generation && young.size > 0) {
      old = young;
      young = new Map();
      weight = 0;
    }
    // A replaced entry counts twice until the generation ends, which only ends it sooner.
    young.set(key, value);
    weight += added;
  }

  return {
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const aged = old.get(key);
      if (aged !== undefined) set(key, aged);
      return aged;
    },
    set,
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
    clear() {
      young = new Map();
      old = new Map();
      weight = 0;
    },
  };
}
