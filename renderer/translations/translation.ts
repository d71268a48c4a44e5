import type { Locale, Messages } from '@nuxt/ui';
import type { catalogue } from '../catalogue.ts';

/** Everything that a language other than English brings; each is fetched when it is first shown. */
export interface Translation {
  readonly messages: typeof catalogue.en;
  /** What is said for a refusal of the server, by its code. */
  readonly failures: Readonly<Record<string, string>>;
  /** The sentences of the component library, and its direction. */
  readonly components: Locale<Messages>;
}
