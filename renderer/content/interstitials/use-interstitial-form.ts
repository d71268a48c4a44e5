import { computed, type Ref, ref, type ShallowRef, watch } from 'vue';
import { useI18n } from 'vue-i18n';
import { ignoreRejection } from '../../api/ignore-rejection.ts';
import { useReload } from '../../api/use-reload.ts';
import { type FormHandle, useSubmission } from '../../ui/use-submission.ts';
import { useDoneToast } from '../../ui/use-toasts.ts';
import type { Start } from './use-interstitials.ts';

interface Options<Form extends object, Details, Body extends { name: string }> {
  readonly noun: 'overlays' | 'splash';
  readonly isOpen: Ref<boolean>;
  readonly start: () => Start<Details> | undefined;
  readonly uform: Readonly<ShallowRef<FormHandle | null>>;
  readonly empty: () => Form;
  readonly formOf: (details: Details) => Form;
  readonly bodyOf: (form: Form) => Body;
  readonly add: (body: Body) => Promise<unknown>;
  readonly update: (id: number, body: Body) => Promise<unknown>;
}

/** The form of an overlay or a splash page: filled in anew whenever it opens, saved as a new one or as a change. */
export function useInterstitialForm<Form extends object, Details, Body extends { name: string }>(
  options: Options<Form, Details, Body>,
) {
  const { noun, isOpen, start, uform } = options;
  const { t } = useI18n();
  const reload = useReload();
  const showDone = useDoneToast();
  const form = ref(options.empty()) as Ref<Form>;
  const { busy, problem, submit } = useSubmission(uform, form);
  const isEdit = computed(() => start()?.id !== undefined);

  watch(
    [isOpen, start],
    () => {
      if (!isOpen.value) return;
      const from = start();
      form.value = from ? options.formOf(from.details) : options.empty();
      problem.value = '';
      uform.value?.clear();
    },
    { immediate: true },
  );

  async function save(): Promise<void> {
    const id = start()?.id;
    const body = options.bodyOf(form.value);
    const worked = await submit(async () => {
      if (id === undefined) await options.add(body);
      else await options.update(id, body);
    });
    if (!worked) return;
    isOpen.value = false;
    ignoreRejection(reload(noun));
    showDone(id === undefined ? t(`${noun}.made`, { name: body.name }) : t(`${noun}.saved`));
  }

  return { form, isEdit, busy, problem, save };
}
