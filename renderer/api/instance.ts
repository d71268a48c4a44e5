import { type RemovableRef, useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import type { Desktop, Instance } from '../../preload/contract.ts';
import { type Account, getAccount } from '../../server/contract/account.ts';
import type { InstanceMeta } from '../../server/contract/instance.ts';
import { askDesktop } from './ask-desktop.ts';
import { describeServer, featuresOf, isBaseContract } from './capabilities.ts';
import { call } from './client.ts';
import { storageKey } from './session-token.ts';

/** A page in a browser has one instance: the server it came from. */
export const ownInstanceId = 'local';

/** Which servers this client knows, which one is shown, what it can do and who is signed in there. */
export const useInstanceStore = defineStore('instance', () => {
  const list = shallowRef<readonly Instance[]>([]);
  const currentId = ref(ownInstanceId);
  const meta = shallowRef<InstanceMeta>();
  const account = shallowRef<Account>();

  const current = computed<Instance>(
    () => list.value.find((instance) => instance.id === currentId.value) ?? ownInstance(meta.value),
  );
  /** The time zone that the server writes its timestamps in. */
  const timezone = computed(() => account.value?.timezone ?? 'UTC');

  /** Learns the list; in the desktop it also follows what the main process tells. */
  async function learn(desktop: Desktop | undefined): Promise<void> {
    if (!desktop) {
      list.value = [ownInstance(undefined)];
      return;
    }
    list.value = await desktop.instances.list();
    currentId.value = await desktop.instances.current();
    desktop.instances.onChange((instances) => {
      list.value = instances;
    });
  }

  /** What the current server is; what it can do follows in `learnFeatures` where it does not say. Throws ApiFailure. */
  async function loadMeta(): Promise<InstanceMeta> {
    const id = currentId.value;
    const data = await describeServer(call, current.value.origin);
    if (id === currentId.value) meta.value = data;
    return data;
  }

  /** Finds out what a plain server has, unless that is known from a short while ago. Throws ApiFailure. */
  async function learnFeatures(): Promise<void> {
    const id = currentId.value;
    const described = meta.value;
    if (!described || !isBaseContract(described)) return;
    const features = await featuresOf(call, localStorage, storageKey(id, 'features'));
    if (id === currentId.value) meta.value = { ...described, features };
  }

  /** Whether the current server has a feature, by the names of `meta.features`. */
  function can(feature: string): boolean {
    return meta.value?.features.includes(feature) ?? false;
  }

  /** Who the key or the session belongs to. Throws ApiFailure, `unauthorized` when nobody is signed in. */
  async function loadAccount(): Promise<Account> {
    const id = currentId.value;
    const { data } = await call(getAccount);
    if (id === currentId.value) account.value = data;
    return data;
  }

  /** Shows another instance; what was known of the one before is forgotten. */
  async function select(id: string): Promise<void> {
    await askDesktop(async () => window.desktop?.instances.select(id));
    currentId.value = id;
    meta.value = undefined;
    account.value = undefined;
  }

  return {
    list,
    currentId,
    current,
    meta,
    account,
    timezone,
    /** Whether the current server has the published contract and no more: lists can be read, not all be edited. */
    isBaseContract: computed(() => isBaseContract(meta.value)),
    can,
    learn,
    loadMeta,
    learnFeatures,
    loadAccount,
    select,
  };
});

/** The name of a stored record of this client that belongs to the instance that is shown. */
export function instanceKey(name: string): string {
  return storageKey(useInstanceStore().currentId, name);
}

/** A stored value (a draft, a filter, a choice of columns) of the instance that is shown; follows a switch. */
export function useInstanceStorage<T>(name: string, initial: T): RemovableRef<T> {
  const store = useInstanceStore();
  return useLocalStorage<T>(() => storageKey(store.currentId, name), initial);
}

type KeyPart = string | number | boolean | object | null;

/**
 * The key of a query, so that two instances never share a reply. The part after the id is the resource's name as the
 * live stream says it (`links`, `stats`, …): a `changed` event for it makes the query fetch again.
 */
export function instanceQueryKey(parts: readonly KeyPart[]): KeyPart[] {
  return [useInstanceStore().currentId, ...parts];
}

function ownInstance(meta: InstanceMeta | undefined): Instance {
  return {
    id: ownInstanceId,
    name: meta?.name ?? 'Waypost',
    color: 'primary',
    kind: 'local',
    origin: location.origin,
    signedIn: true,
  };
}
