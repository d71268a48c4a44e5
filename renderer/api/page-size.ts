/**
 * Rows that a page asks for at once. Servers of the contract may allow no more than this, and a list of many more is
 * slow to draw.
 */
export const pageSize = 100;
