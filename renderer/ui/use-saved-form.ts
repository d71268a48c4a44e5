import { type ComputedRef, computed, type Ref, ref, type ShallowRef } from 'vue';
import { useI18n } from 'vue-i18n';
import { useFieldDrafts } from './use-field-drafts.ts';
import { type FormHandle, useSubmission } from './use-submission.ts';
import { useDoneToast } from './use-toasts.ts';

interface Options<Fields extends object> {
  /** The UForm that shows errors at its fields. */
  readonly form: Readonly<ShallowRef<FormHandle | null>>;
  /** Name of the form, unique within the account. */
  readonly name: string;
  /** The form as stored on the server, as a new object. */
  readonly stored: () => Fields;
  /** Whether there is something to save; by default, whether the form differs from `stored`. */
  readonly isDirty?: (fields: Fields) => boolean;
  /** Fields that are not kept when the page is left: passwords and keys. */
  readonly secrets?: readonly (keyof Fields)[];
  /** Saves the form; resolves to the form as it is stored then. */
  readonly update: (fields: Fields) => Promise<Fields>;
  /** Called after saving, so that the page loads anew what changed. */
  readonly saved: () => void;
}

interface SavedForm<Fields> {
  readonly state: Ref<Fields>;
  readonly isDirty: ComputedRef<boolean>;
  /** Whether the form is being saved. */
  readonly isSaving: ComputedRef<boolean>;
  readonly isTesting: Readonly<Ref<boolean>>;
  /** The error that belongs to no field, for the top of the form; '' for none. */
  readonly problem: Ref<string>;
  save(): Promise<void>;
  /** Runs a test on the server, such as of a connection, and shows `message` if it succeeds. */
  test(work: () => Promise<unknown>, message: string): Promise<void>;
  /** Resets the form to what is stored. */
  discard(): void;
}

/** A page of settings that are saved together, by SaveBar, and that can be tested on the server. */
export function useSavedForm<Fields extends object>({
  form,
  name,
  stored,
  isDirty = (fields) => JSON.stringify(fields) !== JSON.stringify(stored()),
  secrets = [],
  update,
  saved,
}: Options<Fields>): SavedForm<Fields> {
  const { t } = useI18n();
  const showDone = useDoneToast();
  const state = ref(stored()) as Ref<Fields>;
  const { busy, problem, submit } = useSubmission(form, state);
  useFieldDrafts({ name, state, initial: stored, secrets });
  const isTesting = ref(false);

  async function save(): Promise<void> {
    const worked = await submit(async () => {
      state.value = await update(state.value);
    });
    if (!worked) return;
    saved();
    showDone(t('settings.saved'));
  }

  async function test(work: () => Promise<unknown>, message: string): Promise<void> {
    isTesting.value = true;
    const worked = await submit(async () => void (await work()));
    isTesting.value = false;
    if (worked) showDone(message);
  }

  function discard(): void {
    state.value = stored();
    form.value?.clear();
    problem.value = '';
  }

  return {
    state,
    isDirty: computed(() => isDirty(state.value)),
    isSaving: computed(() => busy.value && !isTesting.value),
    isTesting,
    problem,
    save,
    test,
    discard,
  };
}
