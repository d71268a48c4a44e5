import { createGlobalState, useColorMode } from '@vueuse/core';
import { computed } from 'vue';

export type ThemeChoice = 'auto' | 'light' | 'dark';

/**
 * The colours of the page. `choice` follows the system unless the person says otherwise. This is the one stored record
 * that belongs to no instance: theme.js needs it before anything is known.
 */
export const useTheme = createGlobalState(() => {
  const { store, system } = useColorMode({
    onChanged: (mode, apply) => {
      // As theme.js left it: to set it again would lay the whole page out for nothing.
      if (!document.documentElement.classList.contains(mode)) apply(mode);
    },
  });
  const choice = computed<ThemeChoice>({
    get: () => store.value,
    set: (value) => {
      store.value = value;
    },
  });
  const isDark = computed(() => (store.value === 'auto' ? system.value : store.value) === 'dark');
  /** The other one than what is seen now; back to `auto` where the system wants that one anyway. */
  function toggle(): void {
    const wanted = isDark.value ? 'light' : 'dark';
    store.value = system.value === wanted ? 'auto' : wanted;
  }
  return { choice, isDark, toggle };
});
