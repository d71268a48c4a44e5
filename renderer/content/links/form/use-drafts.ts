import { useInstanceStorage } from '../../../api/instance.ts';
import type { LinkFormState } from './link-form-state.ts';

/** What is stored of an unsaved form; a password is not written to disk. */
type Stored = Omit<LinkFormState, 'password' | 'openToAll'>;

/** `before` is the link that it was made from; older versions did not store it. */
type Draft = Stored & { before?: Stored };

/** Which form a draft belongs to: the new link, or the link with an id. */
export type DraftKey = 'new' | `link-${number}`;

/**
 * Forms that were closed before they were saved, kept for this instance. Used by what outlives the form: what it stores
 * is written a moment later, and a form that is closed quickly would take its last draft with it.
 */
export function useDrafts() {
  const drafts = useInstanceStorage<Partial<Record<DraftKey, Draft>>>('links.drafts', {});
  return {
    /** `base` is what the form starts from without a draft, and what a draft that does not say was made from. */
    find(key: DraftKey, base: LinkFormState): { form: LinkFormState; before: LinkFormState } | undefined {
      const stored = drafts.value[key];
      if (!stored) return undefined;
      // An older version may have stored fewer fields.
      const { before, ...draft } = stored;
      return { form: { ...base, ...draft }, before: { ...base, ...before } };
    },
    keep(key: DraftKey, form: LinkFormState, before: LinkFormState): void {
      const draft = { ...stored(form), before: stored(before) };
      drafts.value = { ...drafts.value, [key]: JSON.parse(JSON.stringify(draft)) as Draft };
    },
    forget(key: DraftKey): void {
      if (!(key in drafts.value)) return;
      const { [key]: _forgotten, ...others } = drafts.value;
      drafts.value = others;
    },
  };
}

function stored({ password: _password, openToAll: _openToAll, ...form }: LinkFormState): Stored {
  return form;
}

export type Drafts = ReturnType<typeof useDrafts>;
