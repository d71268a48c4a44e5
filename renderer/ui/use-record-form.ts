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

/** What a form is opened with: a record to change, or (without an id) one that a new record is to be like. */
interface Opened extends Marked {
  readonly id?: number | null;
  /** The record, where what the form is opened with only holds it. */
  readonly details?: Marked;
}

interface Options<Fields extends object, Loaded extends Opened, Change extends object, Made> {
  /** The resource as the query cache names it. */
  readonly resource: string;
  readonly isOpen: Ref<boolean>;
  /** What the form is opened with; undefined for a new record. */
  readonly record?: () => Loaded | undefined;
  readonly fieldsOf: (record: Loaded | undefined) => Fields;
  /** Fields that are not kept when the form is closed: passwords. */
  readonly secrets?: readonly (keyof Fields)[];
  /** Sends a new record. */
  readonly create?: (fields: Fields) => Promise<Made>;
  /** What is sent of a changed record; nothing is, where it has no field. */
  readonly changeOf?: (fields: Fields, before: Fields) => Change;
  /** Sends the change; `record` is the one that the form was opened with. */
  readonly update?: (record: Loaded, change: Change, version: number | undefined) => Promise<unknown>;
  /** Fetches the record as it is now, so that an open form tells of what others change. */
  readonly present?: (id: number) => Promise<Loaded>;
  /** Other resources that show something of it. */
  readonly shownIn?: readonly string[];
  /** The confirmation; `made` is absent after a change. */
  readonly message?: (made: Made | undefined) => string | undefined;
  /** What follows when a new record is there. */
  readonly onCreated?: (made: Made) => void;
}

/**
 * The form of a record in a `FormSlideover` (`ref="slideover" v-bind="bound"`): filled in whenever it opens, sent as a
 * new record or as a change, and closed, confirmed and reloaded when the server has it. What was typed and not saved is
 * there again when the form is opened the next time.
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
  /** The record as it was when the form was opened: an update says what was changed since. */
  const loaded = shallowRef<Loaded>();
  const before = shallowRef(fieldsOf(undefined)) as Ref<Fields>;
  const form = ref(copyOf(before.value)) as Ref<Fields>;
  const isRestored = ref(false);
  const { busy, problem, submit } = useSubmission(handle, form);
  /** Whether it was deleted by somebody else, and is to be made anew. */
  const isAnew = ref(false);
  const isEdit = computed(() => record()?.id !== undefined);
  const others = useOthersEdits<Fields, Loaded>({
    resource,
    form,
    before,
    loaded,
    idOf: (opened) => (isOpen.value && !isAnew.value ? (opened.id ?? undefined) : undefined),
    marksOf: (opened) => opened.details ?? opened,
    fieldsOf,
    present: options.present,
    isBusy: () => busy.value,
  });
  /** Where the draft is kept; undefined while the form is closed. */
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
      // A page that is loaded again has the same record anew; what is typed stays.
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
    // A copy is known by what it starts from: another original is another form.
    const which = isCopy ? `copy of ${JSON.stringify(before.value)}` : (opened?.id ?? 'new');
    draftKey = [store.currentId, store.account?.id ?? '', resource, which].join('/');
    const draft = drafts.find(draftKey);
    // What was not touched is as the server has it now.
    const typed = draft && (changedPart(draft.form, draft.before) as Partial<Fields>);
    form.value = copyOf({ ...before.value, ...typed });
    isRestored.value = !isSame(form.value, before.value);
    isAnew.value = false;
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

  /** Back to the record as it was loaded, or to an empty form. */
  function discard(): void {
    form.value = copyOf(before.value);
    isRestored.value = false;
    others.forget();
    settle();
  }

  /** The record is gone: the next save makes a new one of what was typed. */
  function recreate(): void {
    isAnew.value = true;
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
      if (sent?.id === undefined || isAnew.value) {
        made = await options.create?.(form.value);
      } else {
        const change = options.changeOf?.(form.value, before.value);
        if (change && Object.keys(change).length > 0) isTaken = await update(sent, change);
      }
    });
    if (!worked || !isTaken) return;
    if (key !== undefined) drafts.forget(key);
    // Another record may have been opened while this one was on its way.
    if (key === draftKey && sent === loaded.value) {
      draftKey = undefined;
      isOpen.value = false;
    }
    ignoreRejection(reload(resource, ...(options.shownIn ?? [])));
    const message = options.message?.(made);
    if (message !== undefined) showDone(message);
    if (made !== undefined) options.onCreated?.(made);
  }

  /** Sends a change; false where somebody else was quicker, which the form tells then. */
  async function update(opened: Loaded, change: Change): Promise<boolean> {
    try {
      await options.update?.(opened, change, (opened.details ?? opened).version);
      return true;
    } catch (error) {
      // What the server tells is the record as its GET shows it, which is what the form was opened with.
      const recordIn = (data: object) => (opened.details ? { ...opened, details: data } : data) as Loaded;
      if (!others.takeIn(error, recordIn)) throw error;
      return false;
    }
  }

  /** What `FormSlideover` takes of it. */
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
