import { createEventHook } from '@vueuse/core';

/** What this page itself did to links; the live stream tells what others did. */
export type LinkChange =
  | { readonly kind: 'created'; readonly id: number }
  | { readonly kind: 'updated'; readonly id: number }
  | { readonly kind: 'many' };

const hook = createEventHook<LinkChange>();

/** Tells every list and page that shows links. */
export function tellLinkChange(change: LinkChange): void {
  void hook.trigger(change);
}

/** Calls `handler` for each change while the calling component lives. */
export const onLinkChange = hook.on;
