import { useInstanceStorage } from '../../../api/instance.ts';
import type { LinkFormState } from './link-form-state.ts';

/** What is stored of an unsaved form; a password is not written to disk. */
type Draft = Omit<LinkFormState, 'password' | 'openToAll'>;

/** Which form a draft belongs to: the new link, or the link with an id. */
export type DraftKey = 'new' | `link-${number}`;

/**
 * Forms that were closed before they were saved, kept for this instance. Used by what outlives the form: what it stores
 * is written a moment later, and a form that is closed quickly would take its last draft with it.
 */
export function useDrafts() {
  const drafts = useInstanceStorage<Partial<Record<DraftKey, Draft>>>('links.drafts', {});
  return {
    /** `base` is what the form starts from without a draft. */
    find(key: DraftKey, base: LinkFormState): LinkFormState | undefined {
      const draft = drafts.value[key];
      // An older version may have stored fewer fields.
      return draft && { ...base, ...draft };
    },
    keep(key: DraftKey, form: LinkFormState): void {
      const { password: _password, openToAll: _openToAll, ...draft } = form;
      drafts.value = { ...drafts.value, [key]: JSON.parse(JSON.stringify(draft)) as Draft };
    },
    forget(key: DraftKey): void {
      if (!(key in drafts.value)) return;
      const { [key]: _forgotten, ...others } = drafts.value;
      drafts.value = others;
    },
  };
}

export type Drafts = ReturnType<typeof useDrafts>;
