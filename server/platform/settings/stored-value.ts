/** The value of a row of the settings; undefined if it is damaged, which must not keep the server from serving links. */
export function storedValue(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
