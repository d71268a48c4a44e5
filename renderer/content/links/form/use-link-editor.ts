import { useQuery } from '@pinia/colada';
import { useDebounceFn } from '@vueuse/core';
import { computed, onScopeDispose, ref, shallowRef, toRaw, watch } from 'vue';
import type { BodyInput } from '../../../../server/contract/endpoint.ts';
import {
  addLink,
  getLink,
  type LinkChange,
  type LinkDetails,
  updateLink,
} from '../../../../server/contract/links.ts';
import { readUtm } from '../../../../server/contract/utm-address.ts';
import { call } from '../../../api/client.ts';
import { instanceQueryKey, useInstanceStore } from '../../../api/instance.ts';
import { hostOf, pastedAddress } from '../../../ui/addresses.ts';
import { changedPart, isSame } from '../../../ui/record-changes.ts';
import type { LinkFormRequest } from '../../../ui/use-link-form.ts';
import { useOthersEdits } from '../../../ui/use-others-edits.ts';
import { bodyOf, emptyForm, formOf, type LinkFormState, withoutBlankRows } from './link-form-state.ts';
import { useRememberedUtm } from './remembered-utm.ts';
import type { DraftKey, Drafts } from './use-drafts.ts';

/** Debounce time before storing the draft, in milliseconds. */
const draftPause = 400;

/** State of the link form: loading, input, draft and saving. */
export function useLinkEditor(request: LinkFormRequest, drafts: Drafts) {
  const { linkId } = request;
  const key: DraftKey = linkId === undefined ? 'new' : `link-${linkId}`;
  const { remember } = useRememberedUtm();

  const form = ref<LinkFormState>(emptyForm());
  const before = shallowRef<LinkFormState>(emptyForm());
  const link = shallowRef<LinkDetails>();
  const isRestored = ref(false);
  const isReady = ref(false);
  /** Whether the link was deleted by someone else and will be recreated. */
  const willRecreate = ref(false);
  let isSaved = false;
  let isSaving = false;

  const query = useQuery({
    key: () => instanceQueryKey(['links', linkId ?? 0, 'details']),
    query: ({ signal }) => call(getLink, { params: { id: linkId ?? 0 }, signal }),
    enabled: linkId !== undefined,
    // The form must start from current data, not from the cache.
    refetchOnMount: 'always',
  });

  const others = useOthersEdits<LinkFormState, LinkDetails>({
    resource: 'links',
    form,
    before,
    loaded: link,
    idOf: () => (willRecreate.value ? undefined : linkId),
    marksOf: (details) => details,
    fieldsOf: formOf,
    present: async (id) => (await call(getLink, { params: { id } })).details,
    isBusy: () => isSaving || isSaved,
  });

  function start(from: LinkFormState, filled: LinkFormState): void {
    before.value = from;
    const draft = drafts.find(key, from);
    const isWanted =
      draft !== undefined &&
      (['url', 'custom', 'domain'] as const).every(
        (name) => request[name] === undefined || draft.form[name] === request[name],
      ) &&
      !isSame(draft.form, draft.before);
    // Untouched fields take the server's current values.
    form.value = isWanted ? { ...from, ...changedPart(draft.form, draft.before) } : filled;
    isRestored.value = isWanted && !isSame(form.value, from);
    if (isRestored.value && draft) others.compare(draft.before, draft.form);
    isReady.value = true;
  }

  if (linkId === undefined) {
    // The account's defaults for new links apply unless changed here.
    const fresh = () => ({ ...emptyForm(), ...chosenForNew() });
    const { url = '', custom = '', domain: host = fresh().domain } = request;
    start(fresh(), { ...fresh(), url, custom, domain: host });
  } else {
    watch(
      [query.data, query.asyncStatus],
      ([data, status]) => {
        if (isReady.value || !data || status === 'loading') return;
        link.value = data.details;
        start(formOf(data.details), formOf(data.details));
      },
      { immediate: true },
    );
  }

  const isDirty = computed(() => isReady.value && !isSame(withoutBlankRows(form.value), before.value));
  const keepDraft = () => {
    if (!isReady.value || isSaved) return;
    if (isDirty.value) drafts.keep(key, toRaw(form.value), before.value);
    else drafts.forget(key);
  };
  const keepSoon = useDebounceFn(keepDraft, draftPause);
  watch(form, () => void keepSoon(), { deep: true });
  onScopeDispose(keepDraft);

  /**
   * Creates a link. If the account already has one with the same destination, a second one is created only on request
   * or with a custom alias.
   */
  async function create(body: LinkChange, isAnother: boolean) {
    const ifexists = isAnother || body.custom ? 'create' : 'return';
    const sent = { ...body, url: form.value.url, ifexists } as BodyInput<typeof addLink>;
    return call(addLink, { body: sent });
  }

  /** Updates a link; undefined on a conflict with someone else's edit. */
  async function update(id: number, body: LinkChange) {
    isSaving = true;
    try {
      const sent = body as BodyInput<typeof updateLink>;
      return await call(updateLink, { params: { id }, body: sent, version: link.value?.version });
    } catch (error) {
      if (!others.handleConflict(error, (data) => data as LinkDetails)) throw error;
      return undefined;
    } finally {
      isSaving = false;
    }
  }

  return {
    form,
    link,
    isDirty,
    isReady,
    isRestored,
    others,
    failure: query.error,
    /** The request that saving would send now. */
    change: computed<LinkChange>(() => {
      const now = withAddresses(withoutBlankRows(form.value));
      return linkId === undefined ? { url: now.url, ...newBodyOf(now) } : bodyOf(now, before.value);
    }),

    /** Reverts to the link as stored on the server, or to an empty form. */
    discard(): void {
      drafts.forget(key);
      form.value = { ...JSON.parse(JSON.stringify(before.value)), password: '', openToAll: false };
      isRestored.value = false;
      others.forget();
    },

    /** Recreates a deleted link: the next save creates a new one from the form. */
    recreate(): void {
      willRecreate.value = true;
      others.forget();
    },

    /**
     * Saves and returns the short link, or, unless `isAnother`, the `existing` one with the same destination. Returns
     * undefined if `mayChange` rejects an update, or on a conflict, which `others` then shows. Throws ApiFailure; the
     * draft is kept in that case.
     */
    async save(
      mayChange: (id: number, change: LinkChange) => Promise<boolean>,
      isAnother = false,
    ): Promise<{ id: number; shorturl: string; isNew: boolean; existing?: boolean } | undefined> {
      form.value = withAddresses(withoutBlankRows(form.value));
      // If the response ends the session, the page is unmounted before the debounced write.
      keepDraft();
      const isNew = linkId === undefined || willRecreate.value;
      const body = isNew ? newBodyOf(form.value) : bodyOf(form.value, before.value);
      if (!isNew && link.value && Object.keys(body).length === 0) {
        return { id: linkId, shorturl: link.value.shorturl, isNew: false };
      }
      if (!isNew && !(await mayChange(linkId, body))) return undefined;
      const made = isNew ? await create(body, isAnother) : await update(linkId, body);
      if (!made) return undefined;
      const { existing = false } = 'existing' in made ? made : {};
      if (existing) return { id: made.id, shorturl: made.shorturl, isNew, existing };
      isSaved = true;
      drafts.forget(key);
      remember(readUtm(form.value.url));
      return { id: made.id, shorturl: made.shorturl, isNew };
    },
  };
}

/** The account's defaults for new links. */
function chosenForNew(): Pick<LinkFormState, 'type' | 'domain'> {
  const { defaulttype, domain } = useInstanceStore().account ?? {};
  return { type: defaulttype ?? 'direct', domain: hostOf(domain ?? '') };
}

/**
 * The create request. Includes fields that differ only from the account's defaults, which the server would apply
 * otherwise.
 */
function newBodyOf(form: LinkFormState): ReturnType<typeof bodyOf> {
  const chosen = chosenForNew();
  return {
    ...bodyOf(form, emptyForm()),
    ...(form.type !== chosen.type && { type: form.type }),
    ...(form.domain === '' && chosen.domain !== '' && { domain: null }),
  };
}

/** Adds `https://` to addresses without a scheme and encodes spaces, as browsers do. */
function withAddresses(form: LinkFormState): LinkFormState {
  const whole = (text: string) =>
    /^https?:\/\/\S+$/i.test(text.trim()) ? text.trim() : (pastedAddress(text) ?? text);
  return {
    ...form,
    url: whole(form.url),
    expirationredirect: whole(form.expirationredirect),
    metaimage: whole(form.metaimage),
    geotarget: form.geotarget.map((row) => ({ ...row, link: whole(row.link) })),
    devicetarget: form.devicetarget.map((row) => ({ ...row, link: whole(row.link) })),
    languagetarget: form.languagetarget.map((row) => ({ ...row, link: whole(row.link) })),
    abtesting: form.abtesting.map((row) => ({ ...row, url: whole(row.url) })),
    testwinner: whole(form.testwinner),
  };
}
