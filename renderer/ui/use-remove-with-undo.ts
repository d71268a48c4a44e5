import { useI18n } from 'vue-i18n';
import { useInstanceStore } from '../api/instance.ts';
import { useConfirm } from './use-confirm.ts';
import { useFormat } from './use-format.ts';
import { useDoneToast, useFailureToast, useUndoToast } from './use-toasts.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

interface Options<Thing extends Named> {
  /** Where the words stand: `<noun>.deleted`, `<noun>.confirm`, and `<noun>.several` where several can be chosen. */
  readonly noun: string;
  /** The instance's feature that brings these things back. */
  readonly feature?: string;
  readonly remove: (id: number) => Promise<unknown>;
  readonly restore: (id: number) => Promise<unknown>;
  /** Fetches again what changed. */
  readonly reload: () => Promise<void>;
  /** What is lost, where there is no way back; otherwise `<noun>.confirm.description`. */
  readonly describe?: (things: readonly Thing[]) => string;
}

/**
 * Returns `remove(things)`: deletes one or several and offers the way back, or asks first where the instance has none.
 * Resolves to whether all are gone; when one fails, those before it are gone and can be brought back.
 */
export function useRemoveWithUndo<Thing extends Named = Named>(options: Options<Thing>) {
  const { noun, feature = 'restore', remove, restore, reload } = options;
  const { t } = useI18n();
  const store = useInstanceStore();
  const confirm = useConfirm();
  const format = useFormat();
  const offerUndo = useUndoToast();
  const showDone = useDoneToast();
  const showFailure = useFailureToast();

  /** A sentence about one thing by its name, about several by their number. */
  function sentence(ofOne: string, ofSeveral: string, things: readonly Thing[]): string {
    const [thing, ...others] = things;
    if (thing && others.length === 0) return t(ofOne, { name: thing.name });
    return t(ofSeveral, { n: format.number(things.length) }, things.length);
  }

  return async (chosen: Thing | readonly Thing[]): Promise<boolean> => {
    const things = [chosen].flat() as readonly Thing[];
    const canRestore = store.can(feature);
    if (!canRestore) {
      const isSure = await confirm({
        title: sentence(`${noun}.confirm.title`, `${noun}.several.confirm`, things),
        description: options.describe?.(things) ?? t(`${noun}.confirm.description`),
        action: t(`${noun}.confirm.action`),
      });
      if (!isSure) return false;
    }
    const gone: Thing[] = [];
    try {
      for (const thing of things) {
        await remove(thing.id);
        gone.push(thing);
      }
    } catch (error) {
      showFailure(error);
    }
    if (gone.length === 0) return false;
    void reload();
    const message = sentence(`${noun}.deleted`, `${noun}.several.deleted`, gone);
    if (!canRestore) showDone(message);
    else {
      offerUndo(message, async () => {
        for (const { id } of gone) await restore(id);
        await reload();
      });
    }
    return gone.length === things.length;
  };
}
