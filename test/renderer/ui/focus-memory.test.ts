import { mount, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defineComponent, h, nextTick, ref } from 'vue';
import { useFocusMemory } from '../../../renderer/ui/focus-place.ts';

const isBusy = ref(false);
let app: VueWrapper;
beforeEach(() => {
  isBusy.value = false;
  const App = defineComponent({
    setup() {
      useFocusMemory(document);
      return () =>
        h('main', [h('button', { id: 'save', disabled: isBusy.value }), h('button', { id: 'other' })]);
    },
  });
  app = mount(App, { attachTo: document.body });
});
afterEach(() => app.unmount());

const button = (id: string) => document.getElementById(id) as HTMLElement;
const at = () => document.activeElement?.id;

/** Disables the button that has the focus, lets something happen, and enables it. */
async function load(meanwhile?: () => void): Promise<void> {
  // Browsers take the focus from what is disabled.
  button('save').blur();
  isBusy.value = true;
  await nextTick();
  expect(document.activeElement).toBe(document.body);
  meanwhile?.();
  isBusy.value = false;
  await nextTick();
  await nextTick();
}
const press = (key: string) =>
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));

test('a row that is moved keeps the focus', async () => {
  button('save').focus();
  const parent = button('save').parentElement;
  // Browsers take the focus from what is moved.
  button('save').blur();
  parent?.append(button('save'));
  await nextTick();
  expect(at()).toBe('save');
});

describe('a button that is disabled while it loads', () => {
  test('has the focus again afterwards', async () => {
    button('save').focus();
    await load();
    expect(at()).toBe('save');
    await load(() => press('Enter'));
    expect(at()).toBe('save');
  });

  test.each([
    ['pressed another key', () => press('j')],
    [
      'clicked elsewhere',
      () => document.body.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true })),
    ],
    ['went on to something else', () => button('other').focus()],
  ])('leaves the focus to somebody who has %s', async (_, meanwhile) => {
    button('save').focus();
    await load(meanwhile);
    expect(at()).not.toBe('save');
  });
});
