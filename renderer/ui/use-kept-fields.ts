import { type MaybeRefOrGetter, onScopeDispose, type Ref, toValue } from 'vue';
import { useInstanceStore } from '../api/instance.ts';
import { changedPart, copyOf, isSame } from './record-changes.ts';
import { useRecordDrafts } from './record-drafts.ts';

interface Options<Fields extends object> {
  /** Which form this is, among all of the account. */
  readonly name: MaybeRefOrGetter<string>;
  readonly state: Ref<Fields>;
  /** The form as it is without anything typed: empty, or as the server has it. */
  readonly initial: () => Fields;
  /** Fields that are not kept: passwords, and what is only meant for this time. */
  readonly secrets?: readonly (keyof Fields)[];
}

/**
 * What was typed into a form that is left (by Escape, another page, another section) is in it again the next time,
 * until the app is closed. The form is filled in at once; a dialog, which stays when it is closed, says when it opens
 * (`recall`) and closes (`keep`), and that it was sent (`forget`). Records have `useRecordForm`, which does the same.
 */
export function useKeptFields<Fields extends object>({
  name,
  state,
  initial,
  secrets = [],
}: Options<Fields>) {
  const store = useInstanceStore();
  const drafts = useRecordDrafts();
  /** Of the account that the form was filled in for; undefined once it was sent. */
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

  /** It was sent: nothing of it is kept. */
  function forget(): void {
    if (key !== undefined) drafts.forget(key);
    key = undefined;
  }

  recall();
  onScopeDispose(keep);
  return { recall, keep, forget };
}
