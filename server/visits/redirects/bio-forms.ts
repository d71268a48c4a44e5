import { composed } from '../../contract/composed.ts';
import { email } from '../../contract/sessions.ts';
import { fixedWindow } from '../../platform/concurrency/fixed-window.ts';
import { networkOf } from '../../platform/http/addresses.ts';
import { sendPage } from './answers.ts';
import type { PathVisit } from './campaign-visits.ts';
import type { FormQueries } from './form-queries.ts';
import { bioThanksPage } from './pages/bio-thanks.ts';
import type { PageTexts } from './pages/page-texts.ts';
import { messagePage } from './pages/pages.ts';
import { readForm } from './password-form.ts';
import { readTarget } from './target.ts';

interface Options {
  kept: Pick<FormQueries, 'addMessage'>;
  now: () => number;
  monotonic: () => number;
}

/** Takes what visitors write into the contact forms of bio pages: ten a minute from an address. */
export function bioForms({ kept, now, monotonic }: Options) {
  const sent = fixedWindow({ limit: 10, windowMs: 60_000, monotonic });

  async function take(
    { request, response, address }: PathVisit,
    form: { bio: number; block: number },
    texts: PageTexts,
  ): Promise<void> {
    const network = networkOf(address);
    if (sent.isBlocked(network)) {
      const wait = ['Retry-After', String(sent.secondsLeft(network))];
      sendPage(request, response, messagePage(texts, 'unavailable', 429, wait));
      return;
    }
    sent.hit(network);
    const body = await readForm(request);
    if (body === undefined || response.destroyed) return;
    const fields = new URLSearchParams(body === 'tooLarge' ? '' : body);
    const message = readMessage(fields);
    // Only programs fill in a field that nobody sees; they are thanked and forgotten.
    const isTrapped = (fields.get('website') ?? '') !== '';
    if (message && !isTrapped && !kept.addMessage({ ...form, ...message, at: now() })) {
      sendPage(request, response, messagePage(texts, 'unavailable', 503, ['Retry-After', '86400']));
      return;
    }
    // Only a path of one segment, so that nobody can make this page lead elsewhere.
    const back = readTarget(fields.get('back') ?? '');
    sendPage(
      request,
      response,
      bioThanksPage(texts, message !== undefined, `/${encodeURIComponent(back?.alias ?? '')}`),
    );
  }

  return (visit: PathVisit, form: { bio: number; block: number }, texts: PageTexts): void => {
    take(visit, form, texts).catch(() => {
      // A full disk: the visitor is told to try again, and the log already knows from the clicks.
      sendPage(visit.request, visit.response, messagePage(texts, 'unavailable', 503, ['Retry-After', '60']));
    });
  };
}

/** The fields of a form as they are stored; undefined when one is missing, too long or no address. */
function readMessage(fields: URLSearchParams): { name: string; email: string; message: string } | undefined {
  const name = cleaned(fields.get('name')).replace(/\s+/g, ' ');
  const from = email.safeParse(cleaned(fields.get('email')));
  const message = cleaned(fields.get('message'));
  if (name === '' || name.length > 120 || !from.success) return undefined;
  if (message === '' || message.length > 4000) return undefined;
  return { name, email: from.data, message };
}

function cleaned(text: string | null): string {
  return composed((text ?? '').toWellFormed())
    .replaceAll('\r\n', '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim();
}
