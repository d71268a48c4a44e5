export interface BoundedCache<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  clear(): void;
}

/**
 * A cache of at most twice `generation` entries in two generations: what is used stays, what was not used since the
 * last change of generation goes. A hit costs one look-up and moves nothing, which an exact LRU would.
 */
export function boundedCache<Key, Value>(generation: number): BoundedCache<Key, Value> {
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();

  function set(key: Key, value: Value): void {
    if (young.size >= generation) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
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
    clear() {
      young = new Map();
      old = new Map();
    },
  };
}
