import type { Locale, Messages } from '@nuxt/ui';

/** What a language other than English brings beside the sentences of the pages; it is fetched when it is first shown. */
export interface Translation {
  /** What is said for a refusal of the server, by its code. */
  readonly failures: Readonly<Record<string, string>>;
  /** The sentences of the component library, and its direction. */
  readonly components: Locale<Messages>;
}
