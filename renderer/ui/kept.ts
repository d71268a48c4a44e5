/**
 * Makes something once for each list of arguments, and keeps it. For what costs more to make than to use, such as the
 * formats of `Intl`: a list writes hundreds of numbers and moments with a few of them.
 */
export function kept<Args extends readonly unknown[], Made>(
  make: (...args: Args) => Made,
): (...args: Args) => Made {
  const all = new Map<string, Made>();
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
