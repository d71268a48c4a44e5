import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApp, defineComponent, nextTick, shallowRef } from 'vue';
import { translations } from '../../../renderer/ui/sentences.ts';
import { useDragOrder } from '../../../renderer/ui/use-drag-order.ts';

const ids = shallowRef<readonly number[]>([]);
let finish: (saved: boolean) => void;
let drag: ReturnType<typeof useDragOrder<number>>;
let app: ReturnType<typeof createApp>;
beforeEach(() => {
  ids.value = [1, 2, 3];
  app = createApp(
    defineComponent(() => {
      drag = useDragOrder<number>({
        ids: () => ids.value,
        list: () => undefined,
        save: () => new Promise((resolve) => (finish = resolve)),
      });
      return () => undefined;
    }),
  );
  app.use(translations()).mount(document.createElement('div'));
});
afterEach(() => app.unmount());

/** Moves the first row to the end. */
async function moveFirst(): Promise<void> {
  for (const key of [' ', 'End', ' ']) drag.handle(1).onKeydown(new KeyboardEvent('keydown', { key }));
  await nextTick();
}

test('a new order stays while it is being stored, whatever was read before arrives meanwhile', async () => {
  await moveFirst();
  expect(drag.order.value).toEqual([2, 3, 1]);
  ids.value = [1, 2, 3];
  await nextTick();
  expect(drag.order.value).toEqual([2, 3, 1]);
  finish(true);
  await nextTick();
  ids.value = [2, 3, 1];
  await nextTick();
  expect(drag.order.value).toEqual([2, 3, 1]);
  // From now on the stored order is shown again, whoever changes it.
  ids.value = [3, 2, 1];
  await nextTick();
  expect(drag.order.value).toEqual([3, 2, 1]);
});

test('a new order that is not stored is taken back', async () => {
  await moveFirst();
  finish(false);
  await expect.poll(() => drag.order.value).toEqual([1, 2, 3]);
});

test('rows that are added while an order is stored are shown', async () => {
  await moveFirst();
  ids.value = [1, 2, 3, 4];
  await nextTick();
  expect(drag.order.value).toEqual([1, 2, 3, 4]);
});
