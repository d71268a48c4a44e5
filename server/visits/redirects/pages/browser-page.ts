import { html } from '../../../platform/text/markup.ts';
import { contentPolicy, page } from './layout.ts';
import type { PageTexts } from './page-texts.ts';
import type { Page } from './pages.ts';

const policy = contentPolicy({ programs: true });

/**
 * For a visitor in an app's built-in browser: a link to the phone's browser, where `location` can open its app, and
 * one to continue here. `location` is an http or https URL.
 */
export function browserPage(texts: PageTexts, location: string, os: string): Page {
  const { title, text, go, stay } = texts.inApp;
  const body = html`<p>${text}</p>
<p><a class="action" rel="noreferrer" href="${systemAddress(location, os)}">${go}</a></p>
<p><a class="quiet" rel="noreferrer" href="${location}">${stay}</a></p>`;
  return { status: 200, policy, body: page(texts, title, body) };
}

/**
 * The address that has the phone itself open another: Safari's own scheme on iOS, an intent on Android, which goes to
 * the app that the address belongs to or else to the browser that the person chose. What follows the last `#` of an
 * intent is its own.
 */
function systemAddress(location: string, os: string): string {
  if (os === 'iOS') return `x-safari-${location}`;
  const at = location.indexOf('://');
  const parts = [
    'Intent',
    `scheme=${location.slice(0, at)}`,
    'action=android.intent.action.VIEW',
    'category=android.intent.category.BROWSABLE',
    `S.browser_fallback_url=${encodeURIComponent(location)}`,
    'end',
  ];
  return `intent${location.slice(at)}#${parts.join(';')}`;
}
