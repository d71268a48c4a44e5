import { useInstanceStorage } from '../../../api/instance.ts';
import type { LinkFormState } from './link-form-state.ts';

/** The stored part of an unsaved form; passwords are never written to disk. */
type Stored = Omit<LinkFormState, 'password' | 'openToAll'>;

/** `before` is the original state of the form; older versions did not store it. */
type Draft = Stored & { before?: Stored };

/** The form a draft belongs to: the form for new links, or that of an existing link. */
export type DraftKey = 'new' | `link-${number}`;

/**
 * Unsaved link forms, stored per instance. Use it in a component that outlives the form: writes are delayed, and a form
 * that is closed quickly would lose its last draft.
 */
export function useDrafts() {
  const drafts = useInstanceStorage<Partial<Record<DraftKey, Draft>>>('links.drafts', {});
  return {
    /** `base` is the initial form state, and the default for drafts without their original state. */
    find(key: DraftKey, base: LinkFormState): { form: LinkFormState; before: LinkFormState } | undefined {
      const stored = drafts.value[key];
      if (!stored) return undefined;
      // Drafts stored by older versions may have fewer fields.
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
