import { type RemovableRef, useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';
import type { Desktop, Instance } from '../../preload/contract.ts';
import { type Account, getAccount } from '../../server/contract/account.ts';
import type { InstanceMeta } from '../../server/contract/instance.ts';
import { askDesktop } from './ask-desktop.ts';
import { describeServer, featuresOf, isBaseContract } from './capabilities.ts';
import { call } from './client.ts';
import type { Destination } from './destination.ts';
import { storageKey } from './session-token.ts';

/** A page in a browser has a single instance: the server that it was loaded from. */
export const ownInstanceId = 'local';

/** The known servers, the selected one, its features, and the active account. */
export const useInstanceStore = defineStore('instance', () => {
  const list = shallowRef<readonly Instance[]>([]);
  const currentId = ref(ownInstanceId);
  const meta = shallowRef<InstanceMeta>();
  const account = shallowRef<Account>();
  /** Name of the desktop app's own server in the current language. */
  let localName: string | undefined;
  /** The active team; undefined for the user's personal account. */
  const team = ref<number>();

  const current = computed<Instance>(
    () => list.value.find((instance) => instance.id === currentId.value) ?? ownInstance(meta.value),
  );
  /** Host of short links without a domain, which may differ from the host that the API is called on. */
  const ownHost = computed(
    () => (URL.parse(meta.value?.linkorigin ?? '') ?? URL.parse(current.value.origin))?.host ?? '',
  );
  /** The target of requests: current instance and active account. */
  const destination = computed<Destination>(() => ({ instanceId: currentId.value, account: team.value }));
  /** The destination as a string: prefix for stored and cached data of this account. */
  const scope = computed(() => scopeOf(destination.value));
  /** Time zone of the server's timestamps. */
  const timezone = computed(() => account.value?.timezone ?? 'UTC');

  /** Loads the list of instances; in the desktop app, also subscribes to its changes. */
  async function learn(desktop: Desktop | undefined): Promise<void> {
    if (!desktop) {
      list.value = [ownInstance(undefined)];
      return;
    }
    // Subscribe before loading: the local server may start in between and change its address.
    let isTold = false;
    desktop.instances.onChange((instances) => {
      isTold = true;
      list.value = named(instances);
    });
    const known = await desktop.instances.list();
    if (!isTold) list.value = named(known);
    currentId.value = await desktop.instances.current();
  }

  /** Sets the name of the desktop app's own server, which the main process only knows in English. */
  function nameLocal(name: string): void {
    localName = name;
    list.value = named(list.value);
  }

  function named(instances: readonly Instance[]): readonly Instance[] {
    return instances.map((one) => (one.kind === 'local' ? { ...one, name: localName ?? one.name } : one));
  }

  /**
   * Loads the current server's metadata; if it does not list features, `learnFeatures` detects them. Throws ApiFailure.
   */
  async function loadMeta(): Promise<InstanceMeta> {
    const id = currentId.value;
    const data = await describeServer(call, current.value.origin);
    if (id === currentId.value) meta.value = data;
    return data;
  }

  /** Detects the features of a base contract server, unless cached. Throws ApiFailure. */
  async function learnFeatures(): Promise<void> {
    const id = currentId.value;
    const described = meta.value;
    if (!described || !isBaseContract(described)) return;
    const features = await featuresOf(call, localStorage, storageKey(id, 'features'));
    if (id === currentId.value) meta.value = { ...described, features };
  }

  /** Whether the current server has a feature, by its name in `meta.features`. */
  function can(feature: string): boolean {
    return meta.value?.features.includes(feature) ?? false;
  }

  /** Loads the active account. Throws ApiFailure, of kind `unauthorized` if nobody is signed in. */
  async function loadAccount(): Promise<Account> {
    const from = scope.value;
    const { data } = await call(getAccount);
    if (from === scope.value) account.value = data;
    return data;
  }

  /** Selects another instance and clears the state of the previous one. */
  async function select(id: string): Promise<void> {
    await askDesktop(async () => window.desktop?.instances.select(id));
    currentId.value = id;
    meta.value = undefined;
    account.value = undefined;
    team.value = storedTeam(localStorage.getItem(storageKey(id, 'account')));
  }

  /** Restores the last active account, if the URL does not name one. */
  function recallTeam(): void {
    team.value ??= storedTeam(localStorage.getItem(storageKey(currentId.value, 'account')));
  }

  /** Switches to another account, a team or the personal one, and remembers it for the next visit. */
  function actFor(id: number | undefined): void {
    team.value = id;
    account.value = undefined;
    if (id === undefined) localStorage.removeItem(storageKey(currentId.value, 'account'));
    else localStorage.setItem(storageKey(currentId.value, 'account'), String(id));
  }

  return {
    list,
    currentId,
    current,
    ownHost,
    meta,
    account,
    team,
    destination,
    scope,
    timezone,
    /** Whether the current server supports only the base contract: lists can be read, but not all of them edited. */
    isBaseContract: computed(() => isBaseContract(meta.value)),
    can,
    learn,
    nameLocal,
    loadMeta,
    learnFeatures,
    loadAccount,
    select,
    actFor,
    recallTeam,
  };
});

/** Parses the stored id of the last team on an instance; undefined for the personal account. */
function storedTeam(text: string | null): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : undefined;
}

/** For personal accounts just the instance's id, for compatibility with data stored before there were teams. */
export function scopeOf({ instanceId, account }: Destination): string {
  return account === undefined ? instanceId : `${instanceId}/${account}`;
}

/** Storage key for data of the current instance, regardless of the account. */
export function instanceKey(name: string): string {
  return storageKey(useInstanceStore().currentId, name);
}

/** A stored value (a draft, a filter, a column selection) of the active account; follows account switches. */
export function useInstanceStorage<T>(name: string, initial: T): RemovableRef<T> {
  const store = useInstanceStore();
  return useLocalStorage<T>(() => storageKey(store.scope, name), initial);
}

type KeyPart = string | number | boolean | object | null;

/**
 * Query key that keeps the responses of instances and accounts apart. After the scope comes the resource's name in the
 * live stream (`links`, `stats`, …): a `changed` event for it reloads the query.
 */
export function instanceQueryKey(parts: readonly KeyPart[]): KeyPart[] {
  return [useInstanceStore().scope, ...parts];
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
