import type { Language } from '../server/contract/languages.ts';
import { ignoreRejection } from './api/ignore-rejection.ts';

/**
 * Lets a browser install the app, and has it say so in `language` when the server cannot be reached. Only on the pages
 * that a server serves; the desktop app is installed already.
 */
export function offerInstall(page: Document, base: string, language: Language): void {
  if (!page.querySelector('link[rel="manifest"]')) {
    page.head.append(link(page, 'manifest', `${base}manifest.webmanifest`));
    page.head.append(link(page, 'apple-touch-icon', `${base}icon-touch.png`));
  }
  // Not there where the connection is not secure.
  const workers = page.defaultView?.navigator.serviceWorker;
  if (workers)
    ignoreRejection(workers.register(`${base}offline-worker.js?language=${language}`, { scope: base }));
}

function link(page: Document, rel: string, href: string): HTMLLinkElement {
  return Object.assign(page.createElement('link'), { rel, href });
}
