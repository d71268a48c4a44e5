import { PiniaColada, useQuery } from '@pinia/colada';
import { flushPromises, mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { beforeEach, expect, it } from 'vitest';
import { instanceQueryKey } from '../../../renderer/api/instance.ts';
import { useReload } from '../../../renderer/api/use-reload.ts';

const asked: string[] = [];
let isGone = false;
let reload: ReturnType<typeof useReload>;

/** A page that shows a domain, its log, and the links of it. */
const page = {
  setup() {
    reload = useReload();
    for (const key of [
      ['domains', 7, 'record'],
      ['domains', 7, 'log'],
      ['links', 7],
    ])
      useQuery({
        key: () => instanceQueryKey(key),
        async query() {
          asked.push(key.join('/'));
          if (isGone && key[0] === 'domains') throw new Error('There is no such domain.');
          return key.length;
        },
      });
    return () => null;
  },
};

beforeEach(async () => {
  isGone = false;
  mount(page, { global: { plugins: [createPinia(), PiniaColada] } });
  await flushPromises();
  asked.length = 0;
});

it('fetches what is shown of the named resources, and nothing else', async () => {
  await reload('domains');
  expect(asked).toEqual(['domains/7/record', 'domains/7/log']);
  asked.length = 0;
  await reload(['domains', 7, 'log'], 'links');
  expect(asked).toEqual(['domains/7/log', 'links/7']);
});

it('resolves although a record is gone, so that what follows a deletion happens', async () => {
  isGone = true;
  await expect(reload('domains', 'links')).resolves.toBeUndefined();
  expect(asked).toHaveLength(3);
});
