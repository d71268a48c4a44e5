/**
 * How many of the deleted records that one person created in an account can be restored: of links, and of each other
 * kind, of which an account has no more. Beyond it that person's oldest go for good (decision 0101).
 */
export const keptDeleted = { links: 100_000, records: 10_000 } as const;
