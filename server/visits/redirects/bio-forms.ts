import { composed } from '../../contract/composed.ts';
import { email } from '../../contract/sessions.ts';
import type { PathVisit } from './campaign-visits.ts';
import type { FormQueries } from './form-queries.ts';
import { bioThanksPage } from './pages/bio-thanks.ts';
import type { PageTexts } from './pages/page-texts.ts';
import { readTarget } from './target.ts';
import { visitorForms } from './visitor-forms.ts';

interface Options {
  kept: Pick<FormQueries, 'addMessage'>;
  now: () => number;
  monotonic: () => number;
  nextTurn: () => Promise<void>;
}

/** Accepts the contact forms of bio pages: ten a minute from an address. */
export function bioForms({ kept, now, monotonic, nextTurn }: Options) {
  const takeForm = visitorForms({ limit: 10, monotonic, nextTurn });

  return (visit: PathVisit, form: { bio: number; block: number }, texts: PageTexts): void =>
    takeForm(visit, texts, (fields) => {
      const message = readMessage(fields);
      // Only bots fill in an invisible field; they are thanked and ignored.
      const isTrapped = (fields.get('website') ?? '') !== '';
      if (message && !isTrapped && !kept.addMessage({ ...form, ...message, at: now() })) return undefined;
      // Only a path of one segment, so that this page cannot be made to redirect elsewhere.
      const back = readTarget(fields.get('back') ?? '');
      return bioThanksPage(texts, message !== undefined, `/${encodeURIComponent(back?.alias ?? '')}`);
    });
}

/** The fields of a form as stored; undefined if one is missing, too long or not an email address. */
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
