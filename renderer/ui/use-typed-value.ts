import { computed, type Ref, ref, watch } from 'vue';

/**
 * A field whose displayed text differs from its value: input is parsed while typing and reformatted on commit. Text
 * that cannot be parsed becomes the value as is, so that it survives closing the form, and the previous value is not
 * saved unnoticed.
 */
export function useTypedValue(
  value: Ref<string>,
  { read, write }: { read: (typed: string) => string | undefined; write: (value: string) => string },
) {
  const typed = ref<string>();

  // The value was changed from outside: by the calendar or by the form.
  watch(value, (now) => {
    if (typed.value !== undefined && now !== meantBy(typed.value)) typed.value = undefined;
  });

  function meantBy(text: string): string {
    return text.trim() === '' ? '' : (read(text) ?? text);
  }

  const text = computed({
    get: () => typed.value ?? write(value.value),
    set: (now: string) => {
      typed.value = now;
      // Ignore incomplete input, such as half a date.
      if (now.trim() === '' || read(now) !== undefined) value.value = meantBy(now);
    },
  });

  /** Called when leaving the field, and before submitting or closing the form. */
  function commit(): void {
    if (typed.value === undefined) return;
    value.value = meantBy(typed.value);
    typed.value = undefined;
  }

  return { text, commit };
}
