import type { Form } from '@nuxt/ui';
import { type Ref, type ShallowRef, toValue, watch } from 'vue';
import type { LinkFormState } from './link-form-state.ts';

/**
 * Keeps an error until its field changes. Fields are validated on submit, not on blur: a message appearing or
 * disappearing at that moment would move the button the user is clicking.
 */
export function useFieldErrors(
  form: Readonly<Ref<LinkFormState>>,
  uform: Readonly<ShallowRef<Form<LinkFormState> | null>>,
): void {
  let faulty = new Map<string, string>();
  watch(
    () => toValue(uform.value?.errors),
    (errors) => {
      const names = (errors ?? []).flatMap((error) => error.name ?? []);
      faulty = new Map(names.map((name) => [name, valueAt(form.value, name)]));
    },
  );
  watch(
    form,
    (now) => {
      for (const [name, value] of faulty) if (valueAt(now, name) !== value) uform.value?.clear(name);
    },
    { deep: true },
  );
}

/** The value at a path such as `geotarget.0.link`, serialized for comparison. */
function valueAt(form: LinkFormState, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>(
      (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
      form,
    );
  return JSON.stringify(value) ?? '';
}
