let made = 0;

/** A name that no other test, or retry of the same test, uses: `ten-1`. Suitable for aliases, users and titles. */
export function anotherName(start: string): string {
  made += 1;
  return `${start}-${made}`;
}
