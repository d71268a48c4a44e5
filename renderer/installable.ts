import type { Language } from '../server/contract/languages.ts';
import { ignoreRejection } from './api/ignore-rejection.ts';

/**
 * Makes the app installable in browsers, with an offline page in `language`. Only on pages served by a server; the
 * desktop app is already installed.
 */
export function offerInstall(page: Document, base: string, language: Language): void {
  if (!page.querySelector('link[rel="manifest"]')) {
    page.head.append(link(page, 'manifest', `${base}manifest.webmanifest`));
    page.head.append(link(page, 'apple-touch-icon', `${base}icon-touch.png`));
  }
  // Undefined without a secure context.
  const workers = page.defaultView?.navigator.serviceWorker;
  if (workers)
    ignoreRejection(workers.register(`${base}offline-worker.js?language=${language}`, { scope: base }));
}

function link(page: Document, rel: string, href: string): HTMLLinkElement {
  return Object.assign(page.createElement('link'), { rel, href });
}
