import { useOverlay } from '@nuxt/ui/composables';
import { computed } from 'vue';
import { useI18n } from 'vue-i18n';
import { undo } from '../../../server/contract/links.ts';
import { type MovedResource, move as moveRecords, moveSkips } from '../../../server/contract/moving.ts';
import { powers } from '../../../server/contract/roles.ts';
import { call } from '../../api/client.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { useReload } from '../../api/use-reload.ts';
import { useRole } from '../../api/use-role.ts';
import { useTeams } from '../../identity/teams/use-teams.ts';
import type { RecordMenuItem } from '../../ui/record-menu.ts';
import { useFormat } from '../../ui/use-format.ts';
import { useDoneToast, useFailureToast, useUndoToast } from '../../ui/use-toasts.ts';
import MoveDialog from './MoveDialog.vue';
import type { MoveTarget } from './move-target.ts';

/** Moves records to another account of the user; only offered if there is one. */
export function useMove() {
  const { t } = useI18n();
  const store = useInstanceStore();
  const { teams } = useTeams();
  const { may } = useRole();
  const reload = useReload();
  const overlay = useOverlay();
  const format = useFormat();
  const showDone = useDoneToast();
  const showFailure = useFailureToast();
  const offerUndo = useUndoToast();

  const targets = computed((): MoveTarget[] => {
    const person = store.account?.member?.id;
    const own =
      person === undefined || store.team === undefined ? [] : [{ id: person, name: t('moving.personal') }];
    const others = teams.value.filter(({ id, role }) => id !== store.team && powers[role].create === true);
    return [...own, ...others.map(({ id, name }) => ({ id, name }))];
  });
  const isOffered = computed(() => targets.value.length > 0 && may('edit'));

  /** Asks for the target, moves the records and offers undo. Resolves to whether anything was moved. */
  async function move(resource: MovedResource, ids: readonly number[]): Promise<boolean> {
    const from = store.account?.id;
    if (from === undefined) return false;
    const dialog = overlay.create(MoveDialog, { destroyOnClose: true });
    const wish = await dialog.open({ resource, ids, from, targets: targets.value }).result;
    if (!wish) return false;
    try {
      const { target, related } = wish;
      const body = { from, to: target.id, resource, ids: [...ids], related };
      const { moved, skipped, undo: change } = await call(moveRecords, { body });
      const sentences = moveSkips.flatMap((code) => {
        const n = skipped.filter((each) => each.code === code).length;
        return n === 0 ? [] : [t(`moving.skipped.${code}`, { n: format.number(n) }, n)];
      });
      const done =
        moved === 0
          ? t('moving.none')
          : t('moving.done', { n: format.number(moved), name: target.name }, moved);
      const message = [done, ...sentences].join(' ');
      await reload(resource);
      if (change === null) showDone(message);
      else {
        offerUndo(message, async () => {
          await call(undo, { params: { id: change } });
          await reload(resource);
        });
      }
      return moved > 0;
    } catch (error) {
      showFailure(error);
      return false;
    }
  }

  /** The menu item of a record; empty if there is no other account. `leave` is called after the move. */
  function entry(resource: MovedResource, id: number, leave?: () => unknown): RecordMenuItem[] {
    if (!isOffered.value) return [];
    return [
      {
        label: t('moving.action'),
        icon: 'i-lucide-arrow-right-left',
        action: 'edit',
        onSelect: () => void move(resource, [id]).then((hasMoved) => hasMoved && leave?.()),
      },
    ];
  }

  return { isOffered, move, entry };
}
