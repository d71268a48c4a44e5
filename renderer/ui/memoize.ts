/**
 * Caches the result of `make` for each list of arguments. For values that are expensive to construct, such as `Intl`
 * formatters: a list formats hundreds of numbers and times.
 */
export function memoize<Args extends readonly unknown[], Result>(
  make: (...args: Args) => Result,
): (...args: Args) => Result {
  const all = new Map<string, Result>();
  return (...args) => {
    const key = JSON.stringify(args);
    let made = all.get(key);
    if (made === undefined) {
      made = make(...args);
      all.set(key, made);
    }
    return made;
  };
}
