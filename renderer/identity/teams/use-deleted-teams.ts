import { useLocalStorage } from '@vueuse/core';
import { computed } from 'vue';
import { restoreTeam } from '../../../server/contract/teams.ts';
import { call } from '../../api/client.ts';
import { instanceKey } from '../../api/instance.ts';

interface DeletedTeam {
  readonly id: number;
  readonly name: string;
  /** Milliseconds, as Date.now. */
  readonly at: number;
}

/** As long as the server keeps them, 30 days. Milliseconds. */
const kept = 30 * 86_400_000;

/** The teams that were deleted in this app: the server lists them no longer, and restores them for their owner. */
export function useDeletedTeams() {
  const stored = useLocalStorage<DeletedTeam[]>(instanceKey('deleted-teams'), []);
  return {
    deleted: computed(() => stored.value.filter(({ at }) => Date.now() - at < kept)),
    note({ id, name }: { id: number; name: string }): void {
      stored.value = [{ id, name, at: Date.now() }, ...stored.value].slice(0, 50);
    },
    /** Throws ApiFailure. */
    async restore(id: number): Promise<void> {
      await call(restoreTeam, { params: { id } });
      stored.value = stored.value.filter((team) => team.id !== id);
    },
  };
}
