/**
 * How many deleted records can be restored per creator and account: links, and records of each other kind, of which an
 * account cannot have more. Beyond that, the creator's oldest ones are permanently deleted (decision 0101).
 */
export const keptDeleted = { links: 100_000, records: 10_000 } as const;
