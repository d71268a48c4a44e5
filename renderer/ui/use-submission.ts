import { type Ref, ref, type ShallowRef, watch } from 'vue';
import { isAbort, placedErrors } from '../api/failure.ts';
import { useFailureText } from './use-failure-text.ts';

/** The subset of UForm that is needed; FormSlideover provides the same. */
export interface FormHandle {
  setErrors(errors: { name: string; message: string }[]): void;
  clear(name?: string): void;
}

/**
 * Submits a form: field errors are shown at their fields, all others in `problem`, a message for the top of the form.
 * An error stays until its field changes. `submit(work)` resolves to whether it succeeded; concurrent submissions
 * (Enter held down) are ignored.
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
    const { placed, isAll } = placedErrors(error, (field) => field in state.value);
    form.value?.setErrors(placed);
    if (!isAll) problem.value = textOf(error);
  }

  return { busy, problem, submit };
}
