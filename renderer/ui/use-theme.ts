import { createGlobalState, useColorMode } from '@vueuse/core';
import { computed } from 'vue';

export type ThemeChoice = 'auto' | 'light' | 'dark';

/**
 * The color scheme. `choice` follows the system by default. This is the only stored setting that is not per instance:
 * theme.js needs it before anything is loaded.
 */
export const useTheme = createGlobalState(() => {
  const { store, system } = useColorMode({
    onChanged: (mode, apply) => {
      // theme.js has set it already; setting it again would force a full relayout.
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
  /** Switches to the opposite scheme; to `auto` if the system prefers that one. */
  function toggle(): void {
    const wanted = isDark.value ? 'light' : 'dark';
    store.value = system.value === wanted ? 'auto' : wanted;
  }
  return { choice, isDark, toggle };
});
