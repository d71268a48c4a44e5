/** Whether two form states are equal. The order of fields matters; undefined equals absent. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The fields of `after` that differ from `before`. */
export function changedPart<Fields extends object>(after: Fields, before: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isSame(value, Reflect.get(before, name))),
  ) as Partial<Fields>;
}

/** A deep copy, so that editing a form does not change what the page shows. */
export function copyOf<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf) as Value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, copyOf(held)])) as Value;
}
