import UApp from '@nuxt/ui/components/App.vue';
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defineComponent, h, reactive } from 'vue';
import { ApiFailure } from '../../../renderer/api/failure.ts';
import { useInstanceStore } from '../../../renderer/api/instance.ts';
import { pageRouter } from '../../../renderer/router.ts';
import { translations } from '../../../renderer/ui/sentences.ts';
import { useRecordPage } from '../../../renderer/ui/use-record-page.ts';

interface Code {
  readonly id: number;
}

let wrapper: VueWrapper | undefined;
let refreshed: number[] = [];
let deletes = true;
const list = reactive({
  result: 2,
  isWhole: true,
  refresh: async (removed = 0) => void refreshed.push(removed),
});
beforeEach(() => {
  setActivePinia(createPinia());
  refreshed = [];
  deletes = true;
  Object.assign(list, { result: 2, isWhole: true });
});
afterEach(() => {
  wrapper?.unmount();
  document.body.replaceChildren();
});

/** The page of a list of two, for an account whose plan allows `most` of them. */
function openPage(most = -1) {
  const made: ReturnType<typeof useRecordPage<Code>>[] = [];
  const component = defineComponent({
    setup() {
      made.push(useRecordPage<Code>({ list, feature: 'pixels', remove: async () => deletes }));
      return () => h('p');
    },
  });
  useInstanceStore().account = { features: { pixels: { enabled: true, count: most } } } as never;
  wrapper = mount(() => h(UApp, () => h(component)), {
    attachTo: document.body,
    global: { plugins: [translations(), pageRouter()] },
  });
  const [page] = made;
  if (!page) throw new Error('The page was not set up.');
  return page;
}

describe('a page of records', () => {
  test('opens the form of the record chosen last, whichever is loaded first', async () => {
    const page = openPage();
    const arrive: ((code: Code) => void)[] = [];
    const slow = new Promise<Code>((resolve) => arrive.push(resolve));
    const first = page.open(slow);
    await page.open(Promise.resolve({ id: 2 }));
    arrive[0]?.({ id: 1 });
    await first;
    expect([page.isFormOpen.value, page.edited.value]).toEqual([true, { id: 2 }]);
  });

  test('says why a record cannot be opened, and opens nothing', async () => {
    const page = openPage();
    await page.open(Promise.reject(new ApiFailure('refused', 'The code was deleted.')));
    await flushPromises();
    expect(page.isFormOpen.value).toBe(false);
    expect(document.body.textContent).toContain('The code was deleted.');
  });

  test('closes the form of a deleted record, and no other', async () => {
    const page = openPage();
    await page.open({ id: 1 });
    await page.remove({ id: 2 });
    expect(page.isFormOpen.value).toBe(true);
    deletes = false;
    await page.remove({ id: 1 });
    expect(page.isFormOpen.value).toBe(true);
    deletes = true;
    await page.remove([{ id: 2 }, { id: 1 }]);
    expect([page.isFormOpen.value, refreshed]).toEqual([false, [1, 2]]);
  });

  test('offers to create while the plan allows it, counting the whole list', () => {
    expect(openPage(3).mayCreate.value).toBe(true);
    wrapper?.unmount();
    const full = openPage(2);
    expect([full.mayCreate.value, full.quota.isExhausted.value]).toEqual([false, true]);
    list.isWhole = false;
    expect(full.mayCreate.value).toBe(true);
  });
});
