import { ref } from 'vue';
import { useI18n } from 'vue-i18n';
import { checkDomain, deleteDomain, updateDomain } from '../../../server/contract/domains.ts';
import { call } from '../../api/client.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { useReload } from '../../api/use-reload.ts';
import { loadDomainUses } from '../../content/domain-choice/use-domains.ts';
import { hostOf } from '../../ui/addresses.ts';
import { useConfirm } from '../../ui/use-confirm.ts';
import { useFormat } from '../../ui/use-format.ts';
import { useDoneToast, useFailureToast, useUndoToast } from '../../ui/use-toasts.ts';

export interface DomainTarget {
  readonly id: number;
  readonly host: string;
}

/** Checks, enables, disables and deletes domains, and reports the results. */
export function useDomainActions() {
  const { t } = useI18n();
  const store = useInstanceStore();
  const reloadAll = useReload();
  const format = useFormat();
  const confirm = useConfirm();
  const offerUndo = useUndoToast();
  const showDone = useDoneToast();
  const showFailure = useFailureToast();
  /** Ids of the domains being checked. */
  const checking = ref<ReadonlySet<number>>(new Set());

  const reload = () => reloadAll('domains');

  async function check({ id }: DomainTarget): Promise<void> {
    checking.value = new Set([...checking.value, id]);
    try {
      const { message } = await call(checkDomain, { params: { id } });
      showDone(message);
    } catch (error) {
      showFailure(error);
    } finally {
      checking.value = new Set([...checking.value].filter((other) => other !== id));
      await reload();
    }
  }

  async function turn({ id, host }: DomainTarget, disabled: boolean): Promise<void> {
    const set = async (value: boolean) => {
      await call(updateDomain, { params: { id }, body: { disabled: value } });
      await reload();
    };
    try {
      await set(disabled);
      offerUndo(t(disabled ? 'domains.turnedOff' : 'domains.turnedOn', { host }), () => set(!disabled));
    } catch (error) {
      showFailure(error);
    }
  }

  /** The consequences of deleting a domain, for the confirmation dialog. */
  async function consequences(host: string): Promise<string> {
    const own = store.ownHost;
    if (store.isBaseContract) return t('domains.confirm.plain');
    const uses = await loadDomainUses(new AbortController().signal);
    const use = uses.find(({ domain }) => hostOf(domain) === host);
    const parts = (['links', 'files', 'bios', 'campaigns'] as const).flatMap((kind) => {
      const count = use?.[kind] ?? 0;
      return count > 0 ? [t(`domains.confirm.counts.${kind}`, { n: format.number(count) }, count)] : [];
    });
    if (parts.length === 0) return t('domains.confirm.unused');
    const things = format.list(parts);
    return t('domains.confirm.used', { things, own });
  }

  /** Deletes a domain after confirmation; resolves to whether it was deleted. */
  async function remove({ id, host }: DomainTarget): Promise<boolean> {
    try {
      const isSure = await confirm({
        title: t('domains.confirm.title', { host }),
        description: await consequences(host),
        action: t('domains.confirm.action'),
      });
      if (!isSure) return false;
      await call(deleteDomain, { params: { id } });
    } catch (error) {
      showFailure(error);
      return false;
    }
    showDone(t('domains.deleted', { host }));
    // Not awaited: the page of the deleted domain is left immediately.
    void reloadAll('domains', 'links');
    return true;
  }

  return { checking, check, turn, remove, reload };
}
