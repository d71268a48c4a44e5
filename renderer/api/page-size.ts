/** Rows per request. Servers of the contract may not allow more, and longer lists are slow to render. */
export const pageSize = 100;
