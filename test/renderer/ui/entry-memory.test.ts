import { mount } from '@vue/test-utils';
import { expect, test } from 'vitest';
import { createRouter, createWebHistory } from 'vue-router';
import { useEntryMemory } from '../../../renderer/ui/use-entry-memory.ts';

test('the position in a page is remembered, however soon it is left', async () => {
  const empty = { render: () => null };
  const router = createRouter({
    history: createWebHistory('/'),
    routes: ['/list', '/record'].map((path) => ({ path, component: empty })),
  });
  await router.push('/list');
  let memory: ReturnType<typeof useEntryMemory> | undefined;
  const list = {
    setup: () => {
      memory = useEntryMemory('place');
      return () => null;
    },
  };
  const page = mount(list, { global: { plugins: [router] } });
  let left: unknown;
  router.beforeResolve(() => {
    left = window.history.state;
  });
  memory?.keep({ top: 40 });
  memory?.keep({ top: 80 });
  await router.push('/record');
  expect(left).toMatchObject({ current: '/list', place: { top: 80 } });
  expect(window.history.state).not.toHaveProperty('place');
  page.unmount();
});
