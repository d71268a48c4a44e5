import { useDebounceFn } from '@vueuse/core';
import { computed, type Ref, ref, shallowRef } from 'vue';
import { useI18n } from 'vue-i18n';
import { ApiFailure } from '../api/failure.ts';
import { ignoreRejection } from '../api/ignore-rejection.ts';
import { useInstanceStore } from '../api/instance.ts';
import { useLiveEvents } from '../api/live.ts';
import { type EditedField, editedFields, mergedFields } from './merge-edits.ts';
import { copyOf } from './record-changes.ts';

/** Edit metadata of a record, on servers that provide it. */
export interface Marked {
  readonly version?: number | undefined;
  readonly updated_by?: { readonly id: number; readonly name: string } | null | undefined;
}

/** Concurrent edits of a record, as shown in its form. */
export interface OthersEdits {
  /** A message saying who changed or deleted the record; undefined if nobody did. */
  readonly told: string | undefined;
  readonly isGone: boolean;
  /** Whether there are changes that are not shown yet. */
  readonly hasNews: boolean;
  /** The fields to choose from; empty until the changes are shown. */
  readonly fields: readonly EditedField[];
}

interface Options<Fields extends object, Loaded> {
  /** Resource name in live events. */
  readonly resource: string;
  readonly form: Ref<Fields>;
  /** The fields the form was opened with; updated to the others' version by `show`. */
  readonly before: Ref<Fields>;
  readonly loaded: Ref<Loaded | undefined>;
  readonly idOf: (loaded: Loaded) => number | undefined;
  readonly marksOf: (loaded: Loaded) => Marked;
  readonly fieldsOf: (loaded: Loaded) => Fields;
  /** Loads the current record; if omitted, conflicts are only detected on saving. */
  readonly present?: ((id: number) => Promise<Loaded>) | undefined;
  readonly isBusy: () => boolean;
  /** Merges both edits where no choice is needed; fields that become equal are not shown. */
  readonly reconcile?: (was: Fields, theirs: Fields, mine: Fields) => { theirs: Fields; mine: Fields };
}

/**
 * Tracks concurrent edits to the record in an open form. User input is never changed until the user chooses a version
 * for each field.
 */
export function useOthersEdits<Fields extends object, Loaded>(options: Options<Fields, Loaded>) {
  const { form, before, loaded, resource } = options;
  const { t } = useI18n();
  const store = useInstanceStore();
  const news = shallowRef<Loaded>();
  const isGone = ref(false);
  const fields = shallowRef<readonly EditedField[]>([]);
  const who = ref<string>();

  const look = useDebounceFn(async () => {
    const opened = loaded.value;
    const id = opened && options.idOf(opened);
    if (!options.present || opened === undefined || id === undefined || options.isBusy()) return;
    try {
      const now = await options.present(id);
      if (loaded.value !== opened || options.isBusy()) return;
      const known = news.value ?? opened;
      if (options.marksOf(now).version !== options.marksOf(known).version) tell(now);
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 404) throw error;
      if (loaded.value === opened && !options.isBusy()) isGone.value = true;
    }
  }, 300);
  useLiveEvents((event) => {
    const id = loaded.value && options.idOf(loaded.value);
    if (event.type !== 'changed' || event.resource !== resource || id === undefined) return;
    // Events about many changes list no ids.
    if (event.ids.length === 0 || event.ids.includes(id)) ignoreRejection(look());
  });

  function tell(record: Loaded): void {
    news.value = record;
    const by = options.marksOf(record).updated_by;
    who.value = by && by.id !== store.account?.member?.id ? by.name : undefined;
  }

  /** Shows the others' changes and rebases on them: the next save is based on their version. */
  function show(): void {
    const record = news.value;
    if (record === undefined) return;
    const found = copyOf(options.fieldsOf(record));
    const typed = copyOf(form.value);
    const { theirs, mine } = options.reconcile?.(before.value, found, typed) ?? {
      theirs: found,
      mine: typed,
    };
    const unanswered = new Set(
      fields.value.filter(({ taken }) => taken === undefined).map(({ name }) => name),
    );
    // Unresolved conflicts are kept, even if the latest edit did not touch them.
    fields.value = editedFields(before.value, theirs, mine).map((field) =>
      unanswered.has(field.name) ? { ...field, taken: undefined } : field,
    );
    form.value = mergedFields(mine, fields.value);
    before.value = found;
    loaded.value = record;
    news.value = undefined;
  }

  /** Merges a record that was changed after the draft in the form was typed. */
  function catchUp(record: Loaded): void {
    tell(record);
    show();
  }

  /** Asks about fields of a draft that others have changed since it was typed. */
  function compare(was: Fields, typed: Fields): void {
    fields.value = editedFields(was, before.value, typed).filter(({ taken }) => taken === undefined);
  }

  function choose(name: string, taken: 'theirs' | 'mine'): void {
    fields.value = fields.value.map((field) => (field.name === name ? { ...field, taken } : field));
    const chosen = fields.value.find((field) => field.name === name);
    if (chosen) form.value = { ...form.value, [name]: copyOf(chosen[taken]) };
  }

  /** Handles an error caused by a concurrent edit or deletion; returns false for all other failures. */
  function handleConflict(error: unknown, recordIn: (data: object, opened: Loaded) => Loaded): boolean {
    const opened = loaded.value;
    if (!(error instanceof ApiFailure) || opened === undefined) return false;
    if (error.status === 404) {
      isGone.value = true;
      return true;
    }
    if (error.code !== 'changed' || !error.data) return false;
    catchUp(recordIn(error.data, opened));
    return true;
  }

  function forget(): void {
    news.value = undefined;
    isGone.value = false;
    fields.value = [];
    who.value = undefined;
  }

  /** Whether a conflict is unresolved. */
  const isOpen = computed(() => fields.value.some(({ taken }) => taken === undefined));
  const shown = computed<OthersEdits>(() => {
    const isTold = news.value !== undefined || fields.value.length > 0;
    const sentence =
      who.value === undefined ? t('ui.others.changed') : t('ui.others.changedBy', { name: who.value });
    return {
      told: isGone.value ? t('ui.others.deleted') : isTold ? sentence : undefined,
      isGone: isGone.value,
      hasNews: news.value !== undefined,
      fields: fields.value,
    };
  });

  return { shown, isOpen, show, catchUp, compare, choose, handleConflict, forget };
}
