let made = 0;

/** A name that no other test, and no other try of the same one, has: `ten-1`. Good for aliases, users and titles. */
export function anotherName(start: string): string {
  made += 1;
  return `${start}-${made}`;
}
