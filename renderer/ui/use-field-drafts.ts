import { type MaybeRefOrGetter, onScopeDispose, type Ref, toValue } from 'vue';
import { useInstanceStore } from '../api/instance.ts';
import { changedPart, copyOf, isSame } from './record-changes.ts';
import { useRecordDrafts } from './record-drafts.ts';

interface Options<Fields extends object> {
  /** Name of the form, unique within the account. */
  readonly name: MaybeRefOrGetter<string>;
  readonly state: Ref<Fields>;
  /** The form without user input: empty, or as stored on the server. */
  readonly initial: () => Fields;
  /** Fields that are not kept: passwords and one-time values. */
  readonly secrets?: readonly (keyof Fields)[];
}

/**
 * Keeps unsaved input of a form that is left (by Escape or navigation) in memory, and restores it when the form is
 * opened again. Pages restore it on mount; a dialog, which stays mounted, calls `recall` when it opens, `keep` when it
 * closes, and `forget` after submission. Record forms use `useRecordForm`, which includes this.
 */
export function useFieldDrafts<Fields extends object>({
  name,
  state,
  initial,
  secrets = [],
}: Options<Fields>) {
  const store = useInstanceStore();
  const drafts = useRecordDrafts();
  /** Key of the account that the form was filled in for; undefined after submission. */
  let key: string | undefined;

  function recall(): void {
    key = [store.currentId, store.account?.id ?? '', 'form', toValue(name)].join('/');
    const draft = drafts.find(key);
    const typed = draft && (changedPart(draft.form, draft.before) as Partial<Fields>);
    state.value = copyOf({ ...initial(), ...typed });
  }

  function keep(): void {
    if (key === undefined) return;
    const before = copyOf(initial());
    const unkept = Object.fromEntries(secrets.map((field) => [field, before[field]]));
    const form = copyOf({ ...state.value, ...unkept });
    if (isSame(form, before)) drafts.forget(key);
    else drafts.keep(key, { before, form });
  }

  /** Drops the kept input after submission. */
  function forget(): void {
    if (key !== undefined) drafts.forget(key);
    key = undefined;
  }

  recall();
  onScopeDispose(keep);
  return { recall, keep, forget };
}
