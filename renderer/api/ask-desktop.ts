import { ApiFailure } from './failure.ts';

/**
 * Does something with the main process, which says in a sentence of its own why it refuses. Throws ApiFailure with that
 * sentence, and with the field that it is about.
 */
export async function askDesktop<Result>(work: () => Promise<Result>, field?: string): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ApiFailure('refused', message, field === undefined ? {} : { field });
  }
}
