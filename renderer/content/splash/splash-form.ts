import type { NewSplash, SplashChange, SplashDetails } from '../../../server/contract/splash.ts';
import { pastedAddress } from '../../ui/addresses.ts';

/** Form state of a splash page; '' is not set. */
export interface SplashFormState {
  name: string;
  title: string;
  message: string;
  product: string;
  avatar: string;
  banner: string;
  /** In seconds. */
  counter: number;
}

/** The contract's limits, in seconds. */
export const counterRange = { least: 1, most: 60 };

/** The form state of a new splash page. */
export function emptySplashForm(): SplashFormState {
  return { name: '', title: '', message: '', product: '', avatar: '', banner: '', counter: 10 };
}

/** The form state of an existing splash page. */
export function formOfSplash({ name, counter, ...texts }: SplashDetails): SplashFormState {
  const { title, message, product, avatar, banner } = texts;
  return {
    name,
    title: title ?? '',
    message: message ?? '',
    product: product ?? '',
    avatar: avatar ?? '',
    banner: banner ?? '',
    counter,
  };
}

/** The request body; null clears a field. */
export function splashOf(form: SplashFormState): NewSplash {
  const { name, title, message, counter } = form;
  const address = (text: string) => (text.trim() === '' ? null : (pastedAddress(text) ?? text.trim()));
  return {
    name: name.trim(),
    title: title.trim() || null,
    message: message.trim() || null,
    product: address(form.product),
    avatar: address(form.avatar),
    banner: address(form.banner),
    counter,
  };
}

/** The preview request, without incomplete URLs. */
export function draftOf(form: SplashFormState): SplashChange {
  const { title, message, counter } = form;
  return {
    title: title.trim() || null,
    message: message.trim() || null,
    product: pastedAddress(form.product) ?? null,
    avatar: pastedAddress(form.avatar) ?? null,
    banner: pastedAddress(form.banner) ?? null,
    counter: Math.min(
      counterRange.most,
      Math.max(counterRange.least, Math.round(counter) || counterRange.least),
    ),
  };
}

/** Validates the form. Returns errors by field name; `say` provides the messages. */
export function checkSplash(
  form: SplashFormState,
  say: Readonly<Record<'required' | 'address' | 'counter', string>>,
): { name: string; message: string }[] {
  const problems = (['product', 'avatar', 'banner'] as const)
    .filter((field) => form[field].trim() !== '' && !pastedAddress(form[field]))
    .map((name) => ({ name: name as string, message: say.address }));
  if (form.name.trim() === '') problems.unshift({ name: 'name', message: say.required });
  const isInRange =
    Number.isInteger(form.counter) && form.counter >= counterRange.least && form.counter <= counterRange.most;
  if (!isInRange) problems.push({ name: 'counter', message: say.counter });
  return problems;
}
