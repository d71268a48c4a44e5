/**
 * Readers of JSON columns. Values are checked when they are written; one that somebody damaged since is read as empty,
 * so that a record of its own does not take away whole lists.
 */

/** The value of a text; undefined if it is damaged, which must not keep the server from serving links. */
export function storedValue(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** A stored list; its entries are of one type. */
export function storedList<Entry>(json: string, type: 'object' | 'number' | 'string'): Entry[] {
  if (json === '[]') return [];
  const parsed = storedValue(json);
  if (!Array.isArray(parsed)) return [];
  return parsed.filter((entry) => typeof entry === type && entry !== null) as Entry[];
}

/** A stored list of texts with empty places, which keep their position. */
export function storedSlots(json: string): (string | null)[] {
  const parsed = storedValue(json);
  return Array.isArray(parsed) ? parsed.map((entry) => (typeof entry === 'string' ? entry : null)) : [];
}

/** A stored object; undefined if it is none. */
export function storedObject<Value extends object>(json: string): Value | undefined {
  const parsed = storedValue(json);
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    ? (parsed as Value)
    : undefined;
}

/** SQL of the rows of a stored list, in a column; of none if it is damaged, where `json_each` would fail. */
export function entriesSql(column: string): string {
  return `json_each(iif(json_valid(${column}), ${column}, '[]'))`;
}
