import { fixedWindow } from '../../platform/concurrency/fixed-window.ts';
import { networkOf } from '../../platform/http/addresses.ts';
import { sendPage } from './answers.ts';
import type { PathVisit } from './campaign-visits.ts';
import type { PageTexts } from './pages/page-texts.ts';
import { messagePage, type Page } from './pages/pages.ts';
import { readForm } from './password-form.ts';

interface Options {
  /** Forms that a network may send per minute. */
  limit: number;
  monotonic: () => number;
  /** Stores forms that arrive together one after another. */
  nextTurn: () => Promise<void>;
}

/**
 * Accepts visitors' forms. `answer` gets the fields (none if the form is too large) and returns the page for the
 * visitor; undefined if no more can be stored today.
 */
export function visitorForms({ limit, monotonic, nextTurn }: Options) {
  const sent = fixedWindow({ limit, windowMs: 60_000, monotonic });

  async function take(
    { request, response, address }: PathVisit,
    texts: PageTexts,
    answer: (fields: URLSearchParams) => Page | undefined,
  ): Promise<void> {
    const network = networkOf(address);
    if (sent.isBlocked(network)) {
      const wait = ['Retry-After', String(sent.secondsLeft(network))];
      sendPage(request, response, messagePage(texts, 'unavailable', 429, wait));
      return;
    }
    sent.hit(network);
    const body = await readForm(request);
    await nextTurn();
    if (body === undefined || response.destroyed) return;
    const page = answer(new URLSearchParams(body === 'tooLarge' ? '' : body));
    sendPage(request, response, page ?? messagePage(texts, 'unavailable', 503, ['Retry-After', '86400']));
  }

  return (...[visit, texts, answer]: Parameters<typeof take>): void => {
    take(visit, texts, answer).catch(() => {
      // A full disk: the visitor is asked to try again. It is already logged by the clicks.
      sendPage(visit.request, visit.response, messagePage(texts, 'unavailable', 503, ['Retry-After', '60']));
    });
  };
}
