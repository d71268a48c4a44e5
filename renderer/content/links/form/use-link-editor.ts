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

/** How long typing rests before the draft is written. Milliseconds. */
const draftPause = 400;

/** The link that the form is about: fetched, filled in, kept as a draft, and saved. */
export function useLinkEditor(request: LinkFormRequest, drafts: Drafts) {
  const { linkId } = request;
  const key: DraftKey = linkId === undefined ? 'new' : `link-${linkId}`;
  const { remember } = useRememberedUtm();

  const form = ref<LinkFormState>(emptyForm());
  const before = shallowRef<LinkFormState>(emptyForm());
  const link = shallowRef<LinkDetails>();
  const isRestored = ref(false);
  const isReady = ref(false);
  /** Whether the link was deleted by somebody else, and is to be made anew. */
  const isAnew = ref(false);
  let isSaved = false;
  let isSaving = false;

  const query = useQuery({
    key: () => instanceQueryKey(['links', linkId ?? 0, 'details']),
    query: ({ signal }) => call(getLink, { params: { id: linkId ?? 0 }, signal }),
    enabled: linkId !== undefined,
    // A form must start from what is there now, not from what was there a while ago.
    refetchOnMount: 'always',
  });

  const others = useOthersEdits<LinkFormState, LinkDetails>({
    resource: 'links',
    form,
    before,
    loaded: link,
    idOf: () => (isAnew.value ? undefined : linkId),
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
    // What was not touched is as the server has it now.
    form.value = isWanted ? { ...from, ...changedPart(draft.form, draft.before) } : filled;
    isRestored.value = isWanted && !isSame(form.value, from);
    if (isRestored.value && draft) others.compare(draft.before, draft.form);
    isReady.value = true;
  }

  if (linkId === undefined) {
    // What the account chose for new links holds until something else is chosen here.
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
   * Sends a new link. One that would lead where another does is made when it is asked for, or has an alias of its own.
   */
  async function create(body: LinkChange, isAnother: boolean) {
    const ifexists = isAnother || body.custom ? 'create' : 'return';
    const sent = { ...body, url: form.value.url, ifexists } as BodyInput<typeof addLink>;
    return call(addLink, { body: sent });
  }

  /** Sends an edit; undefined where somebody else was quicker. */
  async function update(id: number, body: LinkChange) {
    isSaving = true;
    try {
      const sent = body as BodyInput<typeof updateLink>;
      return await call(updateLink, { params: { id }, body: sent, version: link.value?.version });
    } catch (error) {
      if (!others.takeIn(error, (data) => data as LinkDetails)) throw error;
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
    /** What saving would send now. */
    change: computed<LinkChange>(() => {
      const now = withAddresses(withoutBlankRows(form.value));
      return linkId === undefined ? { url: now.url, ...newBodyOf(now) } : bodyOf(now, before.value);
    }),

    /** Back to how the link is on the server, or to an empty form. */
    discard(): void {
      drafts.forget(key);
      form.value = { ...JSON.parse(JSON.stringify(before.value)), password: '', openToAll: false };
      isRestored.value = false;
      others.forget();
    },

    /** The link is gone: the next save makes a new one of what was typed. */
    recreate(): void {
      isAnew.value = true;
      others.forget();
    },

    /**
     * Saves and returns where the short link is, or the `existing` one that leads there already unless `isAnother`;
     * undefined when `mayChange` does not let an edit through, and where somebody else was quicker, which `others`
     * tells then. Throws ApiFailure; the draft stays then.
     */
    async save(
      mayChange: (id: number, change: LinkChange) => Promise<boolean>,
      isAnother = false,
    ): Promise<{ id: number; shorturl: string; isNew: boolean; existing?: boolean } | undefined> {
      form.value = withAddresses(withoutBlankRows(form.value));
      // A session that ends with the answer takes the page away, and with it what was typed last.
      keepDraft();
      const isNew = linkId === undefined || isAnew.value;
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

/** What the account chose for new links. */
function chosenForNew(): Pick<LinkFormState, 'type' | 'domain'> {
  const { defaulttype, domain } = useInstanceStore().account ?? {};
  return { type: defaulttype ?? 'direct', domain: hostOf(domain ?? '') };
}

/** What is sent for a new link: also what differs from the account's choice alone, or the server would take that. */
function newBodyOf(form: LinkFormState): ReturnType<typeof bodyOf> {
  const chosen = chosenForNew();
  return {
    ...bodyOf(form, emptyForm()),
    ...(form.type !== chosen.type && { type: form.type }),
    ...(form.domain === '' && chosen.domain !== '' && { domain: null }),
  };
}

/** `example.com` is `https://example.com`, as a browser's address bar has it. */
function withAddresses(form: LinkFormState): LinkFormState {
  const whole = (text: string) =>
    /^https?:\/\//i.test(text.trim()) ? text.trim() : (pastedAddress(text) ?? text);
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
