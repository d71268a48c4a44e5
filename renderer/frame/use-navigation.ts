import { computed } from 'vue';
import { useInstanceStore } from '../api/instance.ts';
import { useRole } from '../api/use-role.ts';
import { desktopPages, everyPage, footNavigation, type NavigationEntry, navigation } from './navigation.ts';

/** The pages supported by the current instance; others are hidden. */
export function useNavigation() {
  const store = useInstanceStore();
  const { mayAll } = useRole();
  const isOffered = ({ feature, action }: NavigationEntry) =>
    (feature === undefined || store.can(feature)) && (action === undefined || mayAll(action));

  return {
    groups: computed(() =>
      navigation.map((group) => group.filter(isOffered)).filter(({ length }) => length > 0),
    ),
    foot: computed(() => footNavigation.filter(isOffered)),
    every: computed(() => [...everyPage, ...(window.desktop ? desktopPages : [])].filter(isOffered)),
    /** Name of the start page. */
    home: computed(() => everyPage.find(isOffered)?.name ?? 'settings'),
    /** Whether the server supports the route, or the list that it belongs to. */
    offers(name: string): boolean {
      const entry = everyPage.find((page) => page.name === name || page.also?.includes(name));
      return entry === undefined || isOffered(entry);
    },
  };
}
