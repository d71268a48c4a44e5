import { type Ref, ref, watch } from 'vue';

/** False until `open` was true once: what is loaded when it is needed is kept from then on. */
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
