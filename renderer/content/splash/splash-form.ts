import type { NewSplash, SplashChange, SplashDetails } from '../../../server/contract/splash.ts';
import { pastedAddress } from '../../ui/addresses.ts';

/** A splash page as people fill it in; '' is not set. */
export interface SplashFormState {
  name: string;
  title: string;
  message: string;
  product: string;
  avatar: string;
  banner: string;
  /** Seconds. */
  counter: number;
}

/** What the contract allows, in seconds. */
export const counterRange = { least: 1, most: 60 };

/** A new splash page before anything was typed. */
export function emptySplashForm(): SplashFormState {
  return { name: '', title: '', message: '', product: '', avatar: '', banner: '', counter: 10 };
}

/** The form of a splash page that is there. */
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

/** What is saved: '' clears a field. */
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

/** What the preview draws: addresses that are still being typed are left out. */
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

/** What is wrong, by the names of the fields; `say` gives the sentences. */
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
