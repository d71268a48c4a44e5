import { computed } from 'vue';
import { useInstanceStorage } from '../api/instance.ts';
import { useNavigation } from './use-navigation.ts';

/** Where the palette led to: a page or a record. */
export interface RecentCommand {
  readonly label: string;
  readonly icon: string;
  /** The name of its route, with what stands in its address. */
  readonly name: string;
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
}

const most = 5;

/** What was chosen last in the palette by this account on this device, newest first. */
export function useRecentCommands() {
  const stored = useInstanceStorage<readonly RecentCommand[]>('palette.recent', []);
  const { offers } = useNavigation();

  function note(command: RecentCommand): void {
    const place = placeOf(command);
    stored.value = [command, ...stored.value.filter((other) => placeOf(other) !== place)].slice(0, most);
  }

  return {
    /** A role or a server may have lost a page since. */
    recent: computed(() => stored.value.filter(({ name }) => offers(name))),
    note,
  };
}

function placeOf({ name, params, query }: RecentCommand): string {
  return JSON.stringify([name, params, query]);
}
