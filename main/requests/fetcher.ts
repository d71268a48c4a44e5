/** Sends requests to instances of one kind. */
export type Fetcher = (address: string, init: RequestInit) => Promise<Response>;
