import { computed } from 'vue';
import { useInstanceStore } from '../api/instance.ts';
import { useRole } from '../api/use-role.ts';
import { desktopPages, everyPage, footNavigation, type NavigationEntry, navigation } from './navigation.ts';

/** The pages that the instance that is shown can fill; the others are hidden. */
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
    /** The name of the page that a visit begins with. */
    home: computed(() => everyPage.find(isOffered)?.name ?? 'settings'),
    /** Whether the route of that name, or the list that it belongs to, is one of the server's. */
    offers(name: string): boolean {
      const entry = everyPage.find((page) => page.name === name || page.also?.includes(name));
      return entry === undefined || isOffered(entry);
    },
  };
}
