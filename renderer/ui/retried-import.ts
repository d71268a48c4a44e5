/** The URL in the error of a failed dynamic import; Chromium and Firefox write it at the end, Safari nowhere. */
const failedUrl = /dynamically imported module: (\S+)$/;

/**
 * A dynamic import that can be tried again after it has failed. Browsers remember failed modules for as long as the
 * page lives (HTML, "fetch a single module script"), so each further attempt uses a URL of its own. Where the error
 * does not name the URL, further attempts fail like the first one.
 */
export function retriedImport<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let url: string | undefined;
  let attempts = 0;
  return async () => {
    try {
      return await (url === undefined ? load() : importAgain<Module>(url, attempts));
    } catch (error) {
      url ??= failedUrl.exec(error instanceof Error ? error.message : '')?.[1];
      attempts += 1;
      throw error;
    }
  };
}

function importAgain<Module>(failed: string, attempt: number): Promise<Module> {
  const url = new URL(failed);
  url.searchParams.set('attempt', `${attempt}`);
  return import(/* @vite-ignore */ url.href) as Promise<Module>;
}
