import { email } from '../../contract/sessions.ts';
import { caseFold } from '../../platform/text/case-fold.ts';
import type { PathVisit } from './campaign-visits.ts';
import type { FormQueries } from './form-queries.ts';
import { readVisitHeaders } from './header-lines.ts';
import type { PageQueries } from './page-queries.ts';
import { textsFor } from './pages/texts.ts';
import { thanksPage } from './pages/thanks-page.ts';
import { readTarget } from './target.ts';
import { visitorForms } from './visitor-forms.ts';
import type { Visitors } from './visitors.ts';

interface Options {
  queries: Pick<PageQueries, 'findAsking'>;
  kept: Pick<FormQueries, 'addAnswer'>;
  visitors: Visitors;
  now: () => number;
  monotonic: () => number;
  nextTurn: () => Promise<void>;
}

/**
 * Accepts submissions to the newsletters and polls of overlays: `POST /o/<id>`, at most twenty a minute per network.
 */
export function overlayForms({ queries, kept, visitors, now, monotonic, nextTurn }: Options) {
  const takeForm = visitorForms({ limit: 20, monotonic, nextTurn });

  /** The submitted answer, if the overlay has a form. */
  function readAnswer(id: number, text: string): { value: string; isAddress: boolean } | undefined {
    const asking = queries.findAsking(id);
    if (asking?.type === 'newsletter') {
      const address = email.safeParse(text.trim());
      return address.success ? { value: address.data, isAddress: true } : undefined;
    }
    const isOffered = Array.isArray(asking?.content.answers) && asking.content.answers.includes(text);
    return isOffered ? { value: text, isAddress: false } : undefined;
  }

  /** Answers the form of an overlay; false for every other request, and for overlays without a form. */
  return (visit: PathVisit): boolean => {
    const { request, domain, address } = visit;
    const id = Number(/^\/o\/([1-9]\d{0,14})$/.exec(request.url ?? '')?.[1]);
    if (request.method !== 'POST' || Number.isNaN(id) || !queries.findAsking(id)) return false;
    const { userAgent, acceptLanguage } = readVisitHeaders(request);
    const texts = textsFor(visitors.find(address, userAgent, acceptLanguage, now()).languages, domain.brand);
    takeForm(visit, texts, (fields) => {
      const answer = readAnswer(id, fields.get('answer') ?? '');
      if (answer !== undefined) {
        const at = now();
        const sender = answer.isAddress
          ? caseFold(answer.value)
          : visitors.senderOf(address, readVisitHeaders(request).userAgent, at);
        if (!kept.addAnswer({ overlay: id, sender, value: answer.value, at })) return undefined;
      }
      // Only a path of one segment, so that this page cannot be made to redirect elsewhere.
      const back = readTarget(fields.get('back') ?? '')?.alias ?? '';
      return thanksPage(texts, answer !== undefined, back);
    });
    return true;
  };
}
