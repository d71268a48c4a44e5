import { createEventHook } from '@vueuse/core';

/** Changes made by this page; others' changes come from the live stream. */
export type LinkChange =
  | { readonly kind: 'created'; readonly id: number }
  | { readonly kind: 'updated'; readonly id: number }
  | { readonly kind: 'many' };

const hook = createEventHook<LinkChange>();

/** Notifies all lists and pages that show links. */
export function tellLinkChange(change: LinkChange): void {
  void hook.trigger(change);
}

/** Calls `handler` for each change, for the lifetime of the calling component. */
export const onLinkChange = hook.on;
