import { type Ref, ref, type ShallowRef, watch } from 'vue';
import { fieldErrors, isAbort } from '../api/failure.ts';
import { useFailureText } from './use-failure-text.ts';

/** What of a UForm this needs; FormSlideover gives the same. */
export interface FormHandle {
  setErrors(errors: { name: string; message: string }[]): void;
  clear(name?: string): void;
}

/**
 * Sends a form: errors about a field go beside it, everything else into `problem`, a sentence for above the form. An
 * error stands until its field is changed. `submit(work)` resolves to whether it worked; while one is on its way,
 * another (Enter held down) does nothing.
 */
export function useSubmission(form: Readonly<ShallowRef<FormHandle | null>>, state: Ref<object>) {
  const textOf = useFailureText();
  const busy = ref(false);
  const problem = ref('');

  for (const name of Object.keys(state.value)) {
    watch(
      () => Reflect.get(state.value, name) as unknown,
      () => form.value?.clear(name),
      { deep: true },
    );
  }

  async function submit(work: () => Promise<void>): Promise<boolean> {
    if (busy.value) return false;
    busy.value = true;
    problem.value = '';
    try {
      await work();
      return true;
    } catch (error) {
      if (!isAbort(error)) explain(error);
      return false;
    } finally {
      busy.value = false;
    }
  }

  function explain(error: unknown): void {
    const errors = fieldErrors(error);
    // A field may be named from the inside: `address.zip`, `ssl.mode`.
    const shown = errors.filter(({ name }) => (name.split('.')[0] ?? '') in state.value);
    form.value?.setErrors(shown);
    if (shown.length > 0 && shown.length === errors.length) return;
    problem.value = textOf(error);
  }

  return { busy, problem, submit };
}
