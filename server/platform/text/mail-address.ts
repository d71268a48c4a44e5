/**
 * The form of a mail address in which two are compared before one gives access to what belongs to the other: only the
 * case of ASCII letters is ignored. A provider may give mar + KELVIN SIGN (U+212A) to somebody else than mark, and both
 * `toLowerCase` and case folding make the same of them.
 */
export function asciiLowerCase(address: string): string {
  return address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether both are the same address, whatever the case of their ASCII letters. */
export function isSameAddress(one: string, other: string): boolean {
  return asciiLowerCase(one) === asciiLowerCase(other);
}
