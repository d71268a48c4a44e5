import { createEventHook } from '@vueuse/core';

/** Changes made by this page; others' changes come from the live stream. */
export type LinkChange =
  | { readonly kind: 'created'; readonly id: number }
  | { readonly kind: 'updated'; readonly id: number }
  | { readonly kind: 'many' };

const hook = createEventHook<LinkChange>();
let changes = 0;

/** Notifies all lists and pages that show links. */
export function tellLinkChange(change: LinkChange): void {
  changes += 1;
  void hook.trigger(change);
}

/** How many changes this page has made so far; what was loaded before the last one is outdated. */
export function linkChangeCount(): number {
  return changes;
}

/** Calls `handler` for each change, for the lifetime of the calling component. */
export const onLinkChange = hook.on;
