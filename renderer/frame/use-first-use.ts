import { type Ref, ref, watch } from 'vue';

/** False until `open` was true for the first time: components loaded on demand stay mounted from then on. */
export function useFirstUse(open: Readonly<Ref<boolean>>): Readonly<Ref<boolean>> {
  const used = ref(open.value);
  watch(
    open,
    (isOpen) => {
      if (isOpen) used.value = true;
    },
    { once: true },
  );
  return used;
}
