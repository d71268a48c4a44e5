/**
 * Returns a function that makes a value once for everybody who asks for it in one turn of the event loop, by its key.
 * Nothing that arrives later sees it, so it is never out of date.
 */
export function turnCache<Value>(): (key: string, make: () => Value) => Value {
  const made = new Map<string, Value>();
  return (key, make) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make();
    if (made.size === 0) setImmediate(() => made.clear());
    made.set(key, value);
    return value;
  };
}
