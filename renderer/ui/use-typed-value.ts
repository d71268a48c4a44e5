import { computed, type Ref, ref, watch } from 'vue';

/**
 * A field whose value is written in another way than it is held: what is typed is read while it is typed, and written
 * anew when the person is done. What cannot be read becomes the value as it is, so that it is not lost when the form is
 * closed, and nobody saves the value before it unnoticed.
 */
export function useTypedValue(
  value: Ref<string>,
  { read, write }: { read: (typed: string) => string | undefined; write: (value: string) => string },
) {
  const typed = ref<string>();

  // The value was set from elsewhere: by the calendar, or by whoever fills in the form.
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
      // Half a date is not the form's business yet.
      if (now.trim() === '' || read(now) !== undefined) value.value = meantBy(now);
    },
  });

  /** The person is done with the field, or is about to send or close the form. */
  function commit(): void {
    if (typed.value === undefined) return;
    value.value = meantBy(typed.value);
    typed.value = undefined;
  }

  return { text, commit };
}
