/** Whether two states of a form hold the same; the order of their fields counts, and undefined is as good as absent. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The fields of `after` that are not as they were `before`. */
export function changedPart<Fields extends object>(after: Fields, before: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isSame(value, Reflect.get(before, name))),
  ) as Partial<Fields>;
}

/** A copy that shares nothing with the original: what a form changes is not what the page shows. */
export function copyOf<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf) as Value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, copyOf(held)])) as Value;
}
