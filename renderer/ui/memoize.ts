/**
 * Makes something once for each list of arguments, and keeps it. For what costs more to make than to use, such as the
 * formats of `Intl`: a list writes hundreds of numbers and times with a few of them.
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
