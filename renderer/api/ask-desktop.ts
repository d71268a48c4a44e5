import { ApiFailure } from './failure.ts';

/**
 * Runs an operation in the main process. If it fails, throws an ApiFailure with the main process's message, for `field`
 * if given.
 */
export async function askDesktop<Result>(work: () => Promise<Result>, field?: string): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ApiFailure('refused', message, field === undefined ? {} : { field });
  }
}
