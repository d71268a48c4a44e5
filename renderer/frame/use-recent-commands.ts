import { computed } from 'vue';
import { useInstanceStorage } from '../api/instance.ts';
import { useNavigation } from './use-navigation.ts';

/** A page or record opened from the palette. */
export interface RecentCommand {
  readonly label: string;
  readonly icon: string;
  /** Route name, parameters and query. */
  readonly name: string;
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
}

const most = 5;

/** Commands recently used by this account on this device, newest first. */
export function useRecentCommands() {
  const stored = useInstanceStorage<readonly RecentCommand[]>('palette.recent', []);
  const { offers } = useNavigation();

  function note(command: RecentCommand): void {
    const place = placeOf(command);
    stored.value = [command, ...stored.value.filter((other) => placeOf(other) !== place)].slice(0, most);
  }

  return {
    /** Pages may have become unavailable by a change of role or server. */
    recent: computed(() => stored.value.filter(({ name }) => offers(name))),
    note,
  };
}

function placeOf({ name, params, query }: RecentCommand): string {
  return JSON.stringify([name, params, query]);
}
