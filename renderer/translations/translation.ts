import type { Locale, Messages } from '@nuxt/ui';

/** The part of a translation that does not belong to a page; loaded when the language is first shown. */
export interface Translation {
  /** Translated messages of failures, by code. */
  readonly failures: Readonly<Record<string, string>>;
  /** Translation of Nuxt UI's own texts, with the text direction. */
  readonly components: Locale<Messages>;
}
