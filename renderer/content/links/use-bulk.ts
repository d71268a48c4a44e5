import { ref } from 'vue';
import { useI18n } from 'vue-i18n';
import type { BodyInput } from '../../../server/contract/endpoint.ts';
import { type BulkAction, bulkLinks, type Link, undo } from '../../../server/contract/links.ts';
import { call } from '../../api/client.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { useConfirm } from '../../ui/use-confirm.ts';
import { useFormat } from '../../ui/use-format.ts';
import { useDoneToast, useFailureToast, useUndoToast } from '../../ui/use-toasts.ts';
import { useBulkJobsStore } from './bulk-jobs-store.ts';
import type { Selection } from './link-selection.ts';
import type { LinkList } from './use-link-list.ts';

type Filter = NonNullable<BodyInput<typeof bulkLinks>['filter']>;

/** The request; `ids` are numbers here, since they come from displayed rows. */
type BulkRequest = Omit<BodyInput<typeof bulkLinks>, 'ids'> & { ids?: number[] };

/** An action on one or more links. */
export interface BulkWish {
  readonly action: Extract<
    BulkAction,
    | 'delete'
    | 'restore'
    | 'purge'
    | 'archive'
    | 'unarchive'
    | 'lock'
    | 'unlock'
    | 'campaign'
    | 'channel_add'
    | 'channel_remove'
    | 'archiveon'
    | 'deleteon'
  >;
  /** The channel id for channel actions; the campaign id, or null for none; the date for scheduled actions. */
  readonly value?: number | string | null;
  /** The campaign's name, for the confirmation message. */
  readonly name?: string;
}

/** Number of links from which deletion asks for confirmation, although it can be undone. */
const many = 100;
/** Number of links from which the server works in the background and the page shows progress. */
const veryMany = 1_000;

/**
 * Runs an action on links with optimistic updates, which are reverted if the server rejects the request, and offers
 * undo. Asks for confirmation if the action is permanent or affects many links, with numbers from a dry run unless that
 * would take long itself. Long actions are tracked as jobs (`follow` polls them), and their rows change on completion.
 */
export function useBulk(list: LinkList, filter: () => Filter, follow: (job: number | null) => Promise<void>) {
  const { t } = useI18n();
  const format = useFormat();
  const confirm = useConfirm();
  const offerUndo = useUndoToast();
  const showDone = useDoneToast();
  const showFailure = useFailureToast();
  const store = useInstanceStore();
  const jobs = useBulkJobsStore();
  const busy = ref(false);

  /** Resolves to whether the action was done; false if the user cancelled or the server rejected it. */
  async function run(wish: BulkWish, selection: Selection): Promise<boolean> {
    let takeBack: (() => void) | undefined;
    busy.value = true;
    try {
      const request = requestOf(wish, selection);
      const count = countOf(selection);
      const isLong = count > veryMany && store.can('bulk-jobs');
      // Permanent deletion always asks with exact numbers, even if computing them takes long.
      const isEstimate = isLong && wish.action !== 'purge';
      const isSure = () => (isEstimate ? askOfMany(wish, count) : ask(wish, request));
      if (mustAsk(wish, request) && !(await isSure())) return false;
      if (isLong) {
        const { data } = await call(bulkLinks, { body: { ...request, background: true } });
        await follow(data.job ?? null);
        return true;
      }
      if (request.ids) takeBack = showAtOnce(wish, request.ids);
      const { data } = await call(bulkLinks, { body: request });
      if (!data.job || jobs.claim(data.job)) tell(wish, data);
      void list.refreshSoon();
      return true;
    } catch (error) {
      takeBack?.();
      showFailure(error);
      return false;
    } finally {
      busy.value = false;
    }
  }

  function requestOf({ action, value }: BulkWish, selection: Selection): BulkRequest {
    const wish = { action, ...(value !== undefined && { value }) };
    if (selection.kind === 'some') return { ...wish, ids: [...selection.ids] };
    if (selection.except.size === 0) return { ...wish, filter: filter() };
    return { ...wish, filter: filter(), except: [...selection.except] };
  }

  function countOf(selection: Selection): number {
    if (selection.kind === 'some') return selection.ids.size;
    return Math.max(0, (list.total.value ?? 0) - selection.except.size);
  }

  function mustAsk({ action }: BulkWish, { ids }: BodyInput<typeof bulkLinks>): boolean {
    return action === 'purge' || (action === 'delete' && (ids === undefined || ids.length > many));
  }

  async function ask({ action }: BulkWish, request: BodyInput<typeof bulkLinks>): Promise<boolean> {
    const { data } = await call(bulkLinks, { body: { ...request, dryrun: true } });
    const { done, locked, foreign } = countOutcomes(data);
    const sentences = [t(`links.bulk.ask.${action}.description`)];
    if (locked > 0) sentences.push(t('links.bulk.lockedStay', { n: format.number(locked) }, locked));
    if (foreign > 0) sentences.push(t('links.bulk.foreignStay', { n: format.number(foreign) }, foreign));
    return confirm({
      title: t(`links.bulk.ask.${action}.title`, { n: format.number(done) }, done),
      description: sentences.join(' '),
      action: t(`links.bulk.ask.${action}.action`, { n: format.number(done) }, done),
    });
  }

  /** A dry run on this many links would take as long as the action. */
  async function askOfMany({ action }: BulkWish, count: number): Promise<boolean> {
    const n = format.number(count);
    return confirm({
      title: t(`links.bulk.ask.${action}.title`, { n }, count),
      description: `${t(`links.bulk.ask.${action}.description`)} ${t('links.bulk.job.ask')}`,
      action: t(`links.bulk.ask.${action}.action`, { n }, count),
    });
  }

  function showAtOnce({ action, value }: BulkWish, ids: readonly number[]): () => void {
    const unlocked = ids.filter((id) => !isLocked(id));
    switch (action) {
      case 'delete':
      case 'restore':
      case 'purge':
        return list.remove(new Set(unlocked));
      case 'archive':
        return list.patch(unlocked, (link) => ({ ...link, state: 'archived' }));
      case 'unarchive':
        return list.patch(unlocked, (link) => ({ ...link, state: 'active' }));
      case 'lock':
      case 'unlock':
        return list.patch(ids, (link) => ({ ...link, locked: action === 'lock' }));
      case 'campaign':
        return list.patch(unlocked, (link) => ({ ...link, campaign: value === null ? null : Number(value) }));
      case 'channel_add':
      case 'channel_remove':
        return list.patch(unlocked, (link) => withChannel(link, Number(value), action === 'channel_add'));
      case 'archiveon':
      case 'deleteon':
        return list.patch(unlocked, (link) => ({ ...link, [action]: String(value) }));
    }
  }

  function isLocked(id: number): boolean {
    const index = list.indexOf(id);
    return index !== undefined && list.rows.value[index]?.locked === true;
  }

  function tell({ action, name }: BulkWish, data: Outcomes & { undo: number | null }): void {
    const { done, locked, unfit, taken, foreign } = countOutcomes(data);
    const undoId = data.undo;
    const key = name === undefined ? action : 'moved';
    const sentences = done > 0 ? [t(`links.bulk.done.${key}`, { n: format.number(done), name }, done)] : [];
    if (locked > 0) sentences.push(t('links.bulk.lockedStay', { n: format.number(locked) }, locked));
    if (foreign > 0) sentences.push(t('links.bulk.foreignStay', { n: format.number(foreign) }, foreign));
    if (unfit > 0) sentences.push(t('links.bulk.noRoom', { n: format.number(unfit) }, unfit));
    if (taken > 0) sentences.push(t('links.bulk.aliasTaken', { n: format.number(taken) }, taken));
    const message = sentences.join(' ');
    // Nothing changed, such as archiving links that are already archived.
    if (message === '') return;
    if (undoId === null) showDone(message);
    else {
      offerUndo(message, async () => {
        await call(undo, { params: { id: undoId } });
        await list.refreshSoon();
      });
    }
  }

  return { run, busy };
}

interface Outcomes {
  rows: readonly { outcome: string; code?: string | undefined }[];
  counts?: { done: number } | undefined;
  codes?: Record<string, number> | undefined;
}

/** Uses the server's totals, since long responses omit rows; older servers send all rows and no totals. */
function countOutcomes({ rows, counts, codes }: Outcomes) {
  const withCode = (code: string) =>
    codes ? (codes[code] ?? 0) : rows.filter((row) => row.code === code).length;
  return {
    done: counts?.done ?? rows.filter((row) => row.outcome === 'done').length,
    locked: withCode('locked'),
    /** Created by someone else, in a role that may edit only its own. */
    foreign: withCode('role_too_low'),
    unfit: withCode('plan_required'),
    taken: withCode('alias_taken'),
  };
}

function withChannel(link: Link, channel: number, isAdded: boolean): Link {
  const others = (link.channel ?? []).filter((id) => id !== channel);
  return { ...link, channel: isAdded ? [...others, channel] : others };
}
