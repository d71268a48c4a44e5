import type { IncomingMessage, ServerResponse } from 'node:http';
import { email } from '../../contract/sessions.ts';
import { fixedWindow } from '../../platform/concurrency/fixed-window.ts';
import { networkOf } from '../../platform/http/addresses.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import { sendPage } from './answers.ts';
import type { PathVisit } from './campaign-visits.ts';
import type { FormQueries } from './form-queries.ts';
import { readVisitHeaders } from './header-lines.ts';
import type { PageQueries } from './page-queries.ts';
import type { PageTexts } from './pages/page-texts.ts';
import { messagePage } from './pages/pages.ts';
import { textsFor } from './pages/texts.ts';
import { thanksPage } from './pages/thanks-page.ts';
import { readForm } from './password-form.ts';
import { readTarget } from './target.ts';
import type { Visitors } from './visitors.ts';

interface Options {
  queries: Pick<PageQueries, 'findAsking'>;
  kept: Pick<FormQueries, 'addAnswer'>;
  visitors: Visitors;
  now: () => number;
  monotonic: () => number;
}

/**
 * Takes what visitors send to the newsletters and polls of overlays: `POST /o/<id>`, twenty a minute from a network.
 */
export function overlayForms({ queries, kept, visitors, now, monotonic }: Options) {
  const sent = fixedWindow({ limit: 20, windowMs: 60_000, monotonic });

  async function take(
    request: IncomingMessage,
    response: ServerResponse,
    id: number,
    address: string,
    texts: PageTexts,
  ): Promise<void> {
    const network = networkOf(address);
    if (sent.isBlocked(network)) {
      const wait = ['Retry-After', String(sent.secondsLeft(network))];
      sendPage(request, response, messagePage(texts, 'unavailable', 429, wait));
      return;
    }
    sent.hit(network);
    const form = await readForm(request);
    if (form === undefined || response.destroyed) return;
    const fields = new URLSearchParams(form === 'tooLarge' ? '' : form);
    const answer = readAnswer(id, fields.get('answer') ?? '');
    if (answer !== undefined) {
      const at = now();
      const sender = answer.isAddress
        ? caseFold(answer.value)
        : visitors.senderOf(address, readVisitHeaders(request).userAgent, at);
      if (!kept.addAnswer({ overlay: id, sender, value: answer.value, at })) {
        sendPage(request, response, messagePage(texts, 'unavailable', 503, ['Retry-After', '86400']));
        return;
      }
    }
    // Only a path of one segment, so that nobody can make this page lead elsewhere.
    const back = readTarget(fields.get('back') ?? '')?.alias ?? '';
    sendPage(request, response, thanksPage(texts, answer !== undefined, back));
  }

  /** What was sent, if the overlay asks for such a thing. */
  function readAnswer(id: number, text: string): { value: string; isAddress: boolean } | undefined {
    const asking = queries.findAsking(id);
    if (asking?.type === 'newsletter') {
      const address = email.safeParse(text.trim());
      return address.success ? { value: address.data, isAddress: true } : undefined;
    }
    const isOffered = Array.isArray(asking?.content.answers) && asking.content.answers.includes(text);
    return isOffered ? { value: text, isAddress: false } : undefined;
  }

  /** Answers the form of an overlay; false for every other request, and for overlays that ask for nothing. */
  return ({ request, response, domain, address }: PathVisit): boolean => {
    const id = Number(/^\/o\/([1-9]\d{0,14})$/.exec(request.url ?? '')?.[1]);
    if (request.method !== 'POST' || Number.isNaN(id) || !queries.findAsking(id)) return false;
    const { userAgent, acceptLanguage } = readVisitHeaders(request);
    const texts = textsFor(visitors.find(address, userAgent, acceptLanguage, now()).languages, domain.brand);
    take(request, response, id, address, texts).catch(() => {
      // A full disk: the visitor is told to try again, and the log already knows from the clicks.
      sendPage(request, response, messagePage(texts, 'unavailable', 503, ['Retry-After', '60']));
    });
    return true;
  };
}
