import { useQuery } from '@pinia/colada';
import { useDebounceFn } from '@vueuse/core';
import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue';
import { useI18n } from 'vue-i18n';
import { type BioDetails, getBio, previewBio, updateBio } from '../../../server/contract/bio.ts';
import { call } from '../../api/client.ts';
import { ApiFailure, fieldErrors, isAbort } from '../../api/failure.ts';
import { instanceQueryKey, useInstanceStorage, useInstanceStore } from '../../api/instance.ts';
import { useReload } from '../../api/use-reload.ts';
import { useFailureText } from '../../ui/use-failure-text.ts';
import { useOthersEdits } from '../../ui/use-others-edits.ts';
import {
  type BioDraft,
  changeOf,
  draftOf,
  draftOfFields,
  fieldsOf,
  isSameDraft,
  mergedOrder,
  type PageFields,
  previewOf,
  topKey,
} from './bio-draft.ts';

/** Unsaved changes, with the page state they are based on. */
export interface KeptDraft {
  readonly draft: BioDraft;
  readonly from: string;
  /** The original page; missing in drafts stored by earlier versions. */
  readonly before?: BioDraft;
}

/**
 * Editing of a bio page: the stored state, the draft, and the server's preview. Unsaved changes are stored on this
 * device until they are saved or discarded, so that leaving the page loses nothing.
 */
export function useBioEditor(id: number) {
  const { t } = useI18n();
  const textOf = useFailureText();
  const store = useInstanceStore();
  const reload = useReload();
  const kept = useInstanceStorage<Record<string, KeptDraft>>('bio.drafts', {});
  const draft = ref<BioDraft>();
  const stored = shallowRef<BioDraft>();
  const wasRestored = ref(false);
  const isSaving = ref(false);
  /** Errors by API field name (`blocks.2.url`). */
  const errors = ref<Record<string, string>>({});
  const problem = ref('');
  /** Key of the open block, or `topKey`. */
  const open = ref<string>();

  const details = useQuery({
    key: () => instanceQueryKey(['bio', id, 'details']),
    query: ({ signal }) => call(getBio, { params: { id }, signal }),
  });
  const page = computed(() => details.data.value?.data);
  const isMissing = computed(
    () => details.error.value instanceof ApiFailure && details.error.value.status === 404,
  );
  /** The stored page that the draft is based on. */
  const base = shallowRef<BioDetails>();
  const form = computed({
    get: () => fieldsOf(draft.value as BioDraft),
    set: (typed: PageFields) => {
      draft.value = draftOfFields(typed);
    },
  });
  const before = computed({
    get: () => fieldsOf(stored.value as BioDraft),
    set: (fields: PageFields) => {
      stored.value = draftOfFields(fields);
    },
  });
  const others = useOthersEdits<PageFields, BioDetails>({
    resource: 'bio',
    form,
    before,
    loaded: base,
    idOf: () => id,
    marksOf: (details) => details,
    fieldsOf: (details) => fieldsOf(draftOfPage(details)),
    reconcile(was, theirs, mine) {
      const order = mergedOrder(was.order, theirs.order, mine.order);
      return { theirs: { ...theirs, order }, mine: { ...mine, order } };
    },
    present: async () => (await call(getBio, { params: { id } })).data,
    isBusy: () => isSaving.value || !isDirty.value,
  });
  const isDirty = computed(
    () => draft.value !== undefined && stored.value !== undefined && !isSameDraft(draft.value, stored.value),
  );

  /** The page as a draft that keeps the displayed click counts, since visits are not edits. */
  function draftOfPage(details: BioDetails): BioDraft {
    const fresh = draftOf(details, store.ownHost);
    const counts = new Map(stored.value?.blocks.map((block) => [block.id, block.clicks]));
    return {
      ...fresh,
      blocks: fresh.blocks.map((block) => ({ ...block, clicks: counts.get(block.id) ?? block.clicks })),
    };
  }

  watch(
    page,
    (loaded) => {
      if (!loaded) return;
      const fresh = draftOf(loaded, store.ownHost);
      const isFirst = stored.value === undefined;
      const wasDirty = isDirty.value;
      // Another user's edit is announced, but only applied by choice.
      if (wasDirty && base.value?.version !== loaded.version) return;
      stored.value = fresh;
      base.value = loaded;
      const before = isFirst ? kept.value[id] : undefined;
      const isCurrent = before?.from === JSON.stringify(changeOf(fresh));
      if (before && isCurrent && !isSameDraft(before.draft, fresh)) {
        draft.value = cloned(before.draft);
        wasRestored.value = true;
      } else if (before?.before && !isCurrent && !isSameDraft(before.draft, fresh)) {
        // Another user has saved the page since: merge, so that neither side's changes are lost.
        stored.value = cloned(before.before);
        draft.value = cloned(before.draft);
        wasRestored.value = true;
        others.catchUp(loaded);
      } else if (isFirst || !wasDirty) {
        draft.value = cloned(fresh);
      } else if (draft.value) {
        // The user is editing: update only the click counts.
        for (const block of draft.value.blocks) {
          block.clicks = fresh.blocks.find((other) => other.id === block.id)?.clicks ?? block.clicks;
        }
      }
    },
    { immediate: true },
  );

  const keep = useDebounceFn(() => {
    if (!draft.value || !stored.value) return;
    const { [id]: _, ...others } = kept.value;
    kept.value = isDirty.value
      ? {
          ...others,
          [id]: {
            draft: cloned(draft.value),
            from: JSON.stringify(changeOf(stored.value)),
            before: cloned(stored.value),
          },
        }
      : others;
  }, 300);

  const html = ref<string>();
  let drawing: AbortController | undefined;
  const draw = useDebounceFn(async () => {
    if (!draft.value) return;
    drawing?.abort();
    drawing = new AbortController();
    const index = draft.value.blocks.findIndex(({ key }) => key === open.value);
    try {
      const body = { id, ...previewOf(draft.value, index < 0 ? undefined : index) };
      html.value = (await call(previewBio, { body, signal: drawing.signal })).data.html;
    } catch (error) {
      // The last preview stays; errors are reported on saving, and a lost connection by its banner.
      if (!isAbort(error) && !(error instanceof ApiFailure)) throw error;
    }
  }, 350);
  onScopeDispose(() => drawing?.abort());

  watch(
    draft,
    () => {
      void keep();
      void draw();
    },
    { deep: true },
  );
  watch(open, () => void draw());

  /** Saves the page. Resolves to whether it succeeded; errors are in `errors` and `problem`. */
  async function save(): Promise<boolean> {
    if (!draft.value) return false;
    if (others.isOpen.value) {
      problem.value = t('ui.others.choose');
      return false;
    }
    isSaving.value = true;
    errors.value = {};
    problem.value = '';
    try {
      const version = base.value?.version;
      const reply = await call(updateBio, { params: { id }, body: changeOf(draft.value), version });
      base.value = reply.data;
      others.forget();
      const fresh = draftOf(reply.data, store.ownHost);
      const at = draft.value.blocks.findIndex(({ key }) => key === open.value);
      stored.value = fresh;
      draft.value = cloned(fresh);
      // New blocks have ids now, which changes their keys; keep the same block open.
      if (at >= 0) open.value = fresh.blocks[at]?.key;
      wasRestored.value = false;
      await reload('bio');
      return true;
    } catch (error) {
      if (others.handleConflict(error, (data) => data as BioDetails)) return false;
      if (!isAbort(error)) explain(error);
      return false;
    } finally {
      isSaving.value = false;
    }
  }

  function explain(error: unknown): void {
    const found = fieldErrors(error);
    errors.value = Object.fromEntries(found.map(({ name, message }) => [name, message]));
    problem.value = textOf(error);
    const [first] = found;
    const index = /^blocks\.(\d+)/.exec(first?.name ?? '')?.[1];
    const block = index === undefined ? undefined : draft.value?.blocks[Number(index)];
    if (block) open.value = block.key;
    else if (/^(title|description|avatar)$/.test(first?.name ?? '')) open.value = topKey;
  }

  function discard(): void {
    if (!stored.value) return;
    draft.value = cloned(stored.value);
    errors.value = {};
    problem.value = '';
    wasRestored.value = false;
    others.forget();
  }

  /** Clears a field's error after the field was changed. */
  function clearError(name: string): void {
    if (!(name in errors.value)) return;
    const { [name]: _, ...left } = errors.value;
    errors.value = left;
    if (Object.keys(left).length === 0) problem.value = '';
  }

  return {
    details,
    page,
    isMissing,
    draft,
    isDirty,
    wasRestored,
    others,
    isSaving,
    errors,
    problem,
    open,
    html,
    save,
    discard,
    clearError,
  };
}

/** A deep copy. Drafts are plain data; `structuredClone` does not support reactive proxies. */
function cloned(draft: BioDraft): BioDraft {
  return JSON.parse(JSON.stringify(draft)) as BioDraft;
}
