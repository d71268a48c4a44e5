const ticketMs = 60_000;

/** One-time permissions to download a backup: a browser saves what an address gives it, and sends no key there. */
export interface Tickets {
  /** `isAllowed` returns whether the requester still may. */
  add(id: number, isAllowed: () => boolean): { ticket: string; expiresAt: number };
  /** The backup that a ticket is for, once; undefined when it is unknown, used, too old or its key revoked. */
  take(ticket: string): number | undefined;
}

export function tickets({
  randomBytes,
  now,
}: {
  randomBytes: (size: number) => Buffer;
  now: () => number;
}): Tickets {
  const open = new Map<string, { id: number; expiresAt: number; isAllowed: () => boolean }>();

  function sweep(): void {
    for (const [ticket, { expiresAt }] of open) if (expiresAt <= now()) open.delete(ticket);
  }

  return {
    add(id, isAllowed) {
      sweep();
      const ticket = randomBytes(32).toString('base64url');
      const expiresAt = now() + ticketMs;
      open.set(ticket, { id, expiresAt, isAllowed });
      return { ticket, expiresAt };
    },
    take(ticket) {
      sweep();
      const found = open.get(ticket);
      open.delete(ticket);
      return found?.isAllowed() ? found.id : undefined;
    },
  };
}
