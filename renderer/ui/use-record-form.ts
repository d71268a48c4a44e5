import { computed, onScopeDispose, type Ref, ref, shallowRef, useTemplateRef, watch } from 'vue';
import { useI18n } from 'vue-i18n';
import { authoredResources } from '../../server/contract/roles.ts';
import { ignoreRejection } from '../api/ignore-rejection.ts';
import { useInstanceStore } from '../api/instance.ts';
import { useReload } from '../api/use-reload.ts';
import { type Authored, useRole } from '../api/use-role.ts';
import { changedPart, copyOf, isSame } from './record-changes.ts';
import { useRecordDrafts } from './record-drafts.ts';
import { type Marked, useOthersEdits } from './use-others-edits.ts';
import { usePresence } from './use-presence.ts';
import { type FormHandle, useSubmission } from './use-submission.ts';
import { useDoneToast } from './use-toasts.ts';

/** What a form is opened with: a record to edit, or (without an id) a template for a new record. */
interface Opened extends Marked {
  readonly id?: number | null;
  /** The record, if it is nested in what the form is opened with. */
  readonly details?: Marked;
}

interface Options<Fields extends object, Loaded extends Opened, Change extends object, Made> {
  /** Resource name in the query cache. */
  readonly resource: string;
  readonly isOpen: Ref<boolean>;
  /** What the form is opened with; undefined for a new record. */
  readonly record?: () => Loaded | undefined;
  readonly fieldsOf: (record: Loaded | undefined) => Fields;
  /** Fields not kept when the form is closed: passwords. */
  readonly secrets?: readonly (keyof Fields)[];
  /** Creates the record. */
  readonly create?: (fields: Fields) => Promise<Made>;
  /** The request body of an update; an empty object sends nothing. */
  readonly changeOf?: (fields: Fields, before: Fields) => Change;
  /** Sends the update; `record` is what the form was opened with. */
  readonly update?: (record: Loaded, change: Change, version: number | undefined) => Promise<unknown>;
  /** Loads the current record, to show concurrent edits while the form is open. */
  readonly present?: (id: number) => Promise<Loaded>;
  /** Other resources that show parts of this record and must be reloaded. */
  readonly shownIn?: readonly string[];
  /** The confirmation message; `made` is undefined after an update. */
  readonly message?: (made: Made | undefined) => string | undefined;
  /** Called after creation. */
  readonly onCreated?: (made: Made) => void;
}

/**
 * A record form in a `FormSlideover` (`ref="slideover" v-bind="bound"`): filled in when it opens, submitted as a create
 * or update request, then closed, confirmed, and the affected lists reloaded. Unsaved input is kept and restored when
 * the form is opened again.
 */
export function useRecordForm<Fields extends object, Loaded extends Opened, Change extends object, Made>(
  options: Options<Fields, Loaded, Change, Made>,
) {
  const { isOpen, resource, record = () => undefined, fieldsOf } = options;
  const { t } = useI18n();
  const store = useInstanceStore();
  const drafts = useRecordDrafts();
  const reload = useReload();
  const { mayAdd, mayChange } = useRole();
  const showDone = useDoneToast();
  const handle = useTemplateRef<FormHandle>('slideover');
  /** The record when the form was opened: an update contains only the changes since then. */
  const loaded = shallowRef<Loaded>();
  const before = shallowRef(fieldsOf(undefined)) as Ref<Fields>;
  const form = ref(copyOf(before.value)) as Ref<Fields>;
  const isRestored = ref(false);
  const { busy, problem, submit } = useSubmission(handle, form);
  /** Whether the record was deleted by someone else and will be recreated. */
  const willRecreate = ref(false);
  const isEdit = computed(() => record()?.id !== undefined);
  const others = useOthersEdits<Fields, Loaded>({
    resource,
    form,
    before,
    loaded,
    idOf: (opened) => (isOpen.value && !willRecreate.value ? (opened.id ?? undefined) : undefined),
    marksOf: (opened) => opened.details ?? opened,
    fieldsOf,
    present: options.present,
    isBusy: () => busy.value,
  });
  /** Key of the draft; undefined while the form is closed. */
  let draftKey: string | undefined;

  const shared = authoredResources.find((known) => known === resource);
  const present = usePresence(
    () => {
      const id = isOpen.value ? record()?.id : undefined;
      return shared && id ? { resource: shared, id } : undefined;
    },
    () => true,
  );

  watch(
    [isOpen, record],
    ([open, now], [wasOpen, then]) => {
      // Reloading a page yields a new object for the same record; keep the user's input.
      if (open && wasOpen && now?.id === then?.id && (now?.id !== undefined || now === then)) return;
      keepDraft();
      if (open) start(now);
    },
    { immediate: true },
  );
  onScopeDispose(keepDraft);

  function start(opened: Loaded | undefined): void {
    loaded.value = opened;
    before.value = copyOf(fieldsOf(opened));
    const isCopy = opened !== undefined && opened.id === undefined;
    // A copy is identified by its template: each original has its own draft.
    const which = isCopy ? `copy of ${JSON.stringify(before.value)}` : (opened?.id ?? 'new');
    draftKey = [store.currentId, store.account?.id ?? '', resource, which].join('/');
    const draft = drafts.find(draftKey);
    // Untouched fields take the server's current values.
    const typed = draft && (changedPart(draft.form, draft.before) as Partial<Fields>);
    form.value = copyOf({ ...before.value, ...typed });
    isRestored.value = !isSame(form.value, before.value);
    willRecreate.value = false;
    others.forget();
    if (draft) others.compare(draft.before as Fields, draft.form as Fields);
    settle();
  }

  function keepDraft(): void {
    if (draftKey === undefined) return;
    const secrets = Object.fromEntries((options.secrets ?? []).map((name) => [name, before.value[name]]));
    const typed = copyOf({ ...form.value, ...secrets });
    if (isSame(typed, before.value)) drafts.forget(draftKey);
    else drafts.keep(draftKey, { before: before.value, form: typed });
    draftKey = undefined;
  }

  function settle(): void {
    problem.value = '';
    handle.value?.clear();
  }

  /** Reverts to the record as loaded, or to an empty form. */
  function discard(): void {
    form.value = copyOf(before.value);
    isRestored.value = false;
    others.forget();
    settle();
  }

  /** Recreates a deleted record: the next save creates a new one from the form. */
  function recreate(): void {
    willRecreate.value = true;
    others.forget();
    void save();
  }

  async function save(): Promise<void> {
    const key = draftKey;
    const sent = loaded.value;
    let made: Made | undefined;
    let isTaken = true;
    if (others.isOpen.value) {
      problem.value = t('ui.others.choose');
      return;
    }
    const worked = await submit(async () => {
      if (sent?.id === undefined || willRecreate.value) {
        made = await options.create?.(form.value);
      } else {
        const change = options.changeOf?.(form.value, before.value);
        if (change && Object.keys(change).length > 0) isTaken = await update(sent, change);
      }
    });
    if (!worked || !isTaken) return;
    if (key !== undefined) drafts.forget(key);
    // Another record may have been opened during the request.
    if (key === draftKey && sent === loaded.value) {
      draftKey = undefined;
      isOpen.value = false;
    }
    ignoreRejection(reload(resource, ...(options.shownIn ?? [])));
    const message = options.message?.(made);
    if (message !== undefined) showDone(message);
    if (made !== undefined) options.onCreated?.(made);
  }

  /** Sends an update; false on a conflict with someone else's edit, which the form then shows. */
  async function update(opened: Loaded, change: Change): Promise<boolean> {
    try {
      await options.update?.(opened, change, (opened.details ?? opened).version);
      return true;
    } catch (error) {
      // The error carries the record in the format of its GET, which may be nested in what the form was opened with.
      const recordIn = (data: object) => (opened.details ? { ...opened, details: data } : data) as Loaded;
      if (!others.handleConflict(error, recordIn)) throw error;
      return false;
    }
  }

  /** Props for `FormSlideover`. */
  const bound = computed(() => ({
    state: form.value,
    busy: busy.value,
    problem: problem.value,
    restored: isRestored.value,
    locked: isEdit.value
      ? !mayChange(resource, (record()?.details ?? record() ?? {}) as Authored)
      : !mayAdd(resource),
    onSubmit: () => void save(),
    onDiscard: discard,
    others: others.shown.value,
    canRecreate: options.create !== undefined,
    people: present.others.value,
    onShowOthers: others.show,
    onChoose: others.choose,
    onRecreate: recreate,
  }));

  return { form, before, isEdit, bound };
}
