import UApp from '@nuxt/ui/components/App.vue';
import { expect, test } from 'vitest';
import { h, ref } from 'vue';
import PictureInput from '../../../renderer/ui/PictureInput.vue';
import { account, meta, openPage, settle } from '../page.ts';

test('accepts no picture while it or its form is locked', async () => {
  const features = { ...meta(false).body.data, features: ['pictures'] };
  const isDisabled = ref(false);
  const isLocked = ref(false);
  const root = () =>
    h(UApp, () =>
      h('fieldset', { disabled: isLocked.value }, [
        h(PictureInput, { modelValue: '', label: 'Logo', disabled: isDisabled.value }),
      ]),
    );
  await openPage({ setup: () => root }, '/', {
    'GET /api/meta': { body: { error: 0, data: features } },
    'GET /api/account': { body: { error: 0, data: account } },
  });
  const takes = async () => {
    await settle();
    const field = document.querySelector('[data-picture]');
    return ['dragover', 'drop', 'paste'].map((type) => {
      const files = [new File(['pixels'], 'photo.png', { type: 'image/png' })];
      const event = new Event(type, { bubbles: true, cancelable: true });
      const data = { types: ['Files'], files, dropEffect: 'copy' };
      Object.assign(event, { dataTransfer: data, clipboardData: data });
      field?.dispatchEvent(event);
      return event.defaultPrevented;
    });
  };
  isDisabled.value = true;
  expect(await takes()).toEqual([false, false, false]);
  isDisabled.value = false;
  isLocked.value = true;
  expect(await takes()).toEqual([false, false, false]);
  isLocked.value = false;
  expect(await takes()).toEqual([true, true, true]);
});
