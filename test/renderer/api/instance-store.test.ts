// What the page of the desktop knows of its servers while the server of this computer is still on its way.
import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, expect, test } from 'vitest';
import type { Desktop, Instance } from '../../../preload/contract.ts';
import { useInstanceStore } from '../../../renderer/api/instance.ts';

const starting: Instance = {
  id: 'local',
  name: 'This computer',
  color: 'primary',
  kind: 'local',
  origin: '',
  signedIn: false,
};
const running: Instance = { ...starting, origin: 'http://127.0.0.1:8420', signedIn: true };

beforeEach(() => setActivePinia(createPinia()));

// A change that nobody heard left a page without the address of its server until the next one: no backup could be
// downloaded, no command be copied that works, and whoever was signed in was asked to sign in.
test.each(['list', 'current'] as const)(
  'a server that comes up while the page asks for the %s is known with its address',
  async (moment) => {
    const listeners = new Set<(list: readonly Instance[]) => void>();
    const comesUp = (at: string) => {
      if (at === moment) for (const listener of listeners) listener([running]);
    };
    const desktop = {
      instances: {
        async list() {
          comesUp('list');
          return [starting];
        },
        async current() {
          comesUp('current');
          return 'local';
        },
        onChange(listener: (list: readonly Instance[]) => void) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
    };
    const store = useInstanceStore();
    await store.learn(desktop as unknown as Desktop);
    expect(store.list).toEqual([running]);
    expect(store.current).toMatchObject({ origin: running.origin, signedIn: true });
  },
);

test('the server of the desktop app has a name in the language of the page, and others keep theirs', async () => {
  const office: Instance = { ...running, id: 'office', name: 'Office', kind: 'remote' };
  let tell: (list: readonly Instance[]) => void = () => {};
  const desktop = {
    instances: {
      list: async () => [running, office],
      current: async () => 'local',
      onChange(listener: typeof tell) {
        tell = listener;
      },
    },
  };
  const store = useInstanceStore();
  const names = () => store.list.map(({ name }) => name);
  store.nameLocal('Dieser Computer');
  await store.learn(desktop as unknown as Desktop);
  expect(names()).toEqual(['Dieser Computer', 'Office']);
  tell([running]);
  expect(names()).toEqual(['Dieser Computer']);
  store.nameLocal('Cet ordinateur');
  expect(names()).toEqual(['Cet ordinateur']);
});
