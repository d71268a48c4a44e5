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

/** A page in a browser has one instance: the server it came from. */
export const ownInstanceId = 'local';

/** Which servers this client knows, which one is shown, what it can do and who is signed in there. */
export const useInstanceStore = defineStore('instance', () => {
  const list = shallowRef<readonly Instance[]>([]);
  const currentId = ref(ownInstanceId);
  const meta = shallowRef<InstanceMeta>();
  const account = shallowRef<Account>();
  /** The team that acts; undefined for the person's own account. */
  const team = ref<number>();

  const current = computed<Instance>(
    () => list.value.find((instance) => instance.id === currentId.value) ?? ownInstance(meta.value),
  );
  /** The host of short links that are on no domain, by which the server may not be the one that is asked. */
  const ownHost = computed(
    () => (URL.parse(meta.value?.linkorigin ?? '') ?? URL.parse(current.value.origin))?.host ?? '',
  );
  /** Where requests go: the instance that is shown and the account that acts there. */
  const destination = computed<Destination>(() => ({ instanceId: currentId.value, account: team.value }));
  /** The same as a text: what is kept or cached under it belongs to this account alone. */
  const scope = computed(() => scopeOf(destination.value));
  /** The time zone that the server writes its timestamps in. */
  const timezone = computed(() => account.value?.timezone ?? 'UTC');

  /** Learns the list; in the desktop it also follows what the main process tells. */
  async function learn(desktop: Desktop | undefined): Promise<void> {
    if (!desktop) {
      list.value = [ownInstance(undefined)];
      return;
    }
    // Before anything is asked: the server may come up between an answer and the next line, and its address with it.
    let isTold = false;
    desktop.instances.onChange((instances) => {
      isTold = true;
      list.value = instances;
    });
    const known = await desktop.instances.list();
    if (!isTold) list.value = known;
    currentId.value = await desktop.instances.current();
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

  /** The account that acts. Throws ApiFailure, `unauthorized` when nobody is signed in. */
  async function loadAccount(): Promise<Account> {
    const from = scope.value;
    const { data } = await call(getAccount);
    if (from === scope.value) account.value = data;
    return data;
  }

  /** Shows another instance; what was known of the one before is forgotten. */
  async function select(id: string): Promise<void> {
    await askDesktop(async () => window.desktop?.instances.select(id));
    currentId.value = id;
    meta.value = undefined;
    account.value = undefined;
    team.value = storedTeam(localStorage.getItem(storageKey(id, 'account')));
  }

  /** The account that acted last, for a visit whose address names no page. */
  function recallTeam(): void {
    team.value ??= storedTeam(localStorage.getItem(storageKey(currentId.value, 'account')));
  }

  /** Lets another account act, a team or the person's own; it is the one that the next visit begins with. */
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
    /** Whether the current server has the published contract and no more: lists can be read, not all be edited. */
    isBaseContract: computed(() => isBaseContract(meta.value)),
    can,
    learn,
    loadMeta,
    learnFeatures,
    loadAccount,
    select,
    actFor,
    recallTeam,
  };
});

/** The team that was shown last at an instance, as it is stored; undefined for the person's own account. */
function storedTeam(text: string | null): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : undefined;
}

/** Of a personal account just the instance's id, as it was before there were teams. */
export function scopeOf({ instanceId, account }: Destination): string {
  return account === undefined ? instanceId : `${instanceId}/${account}`;
}

/** The name of a stored record of this client that belongs to the instance that is shown, whichever account acts. */
export function instanceKey(name: string): string {
  return storageKey(useInstanceStore().currentId, name);
}

/** A stored value (a draft, a filter, a choice of columns) of the account that acts; follows a switch. */
export function useInstanceStorage<T>(name: string, initial: T): RemovableRef<T> {
  const store = useInstanceStore();
  return useLocalStorage<T>(() => storageKey(store.scope, name), initial);
}

type KeyPart = string | number | boolean | object | null;

/**
 * The key of a query, so that no two instances or accounts ever share a reply. The part after the scope is the
 * resource's name as the live stream says it (`links`, `stats`, …): a `changed` event for it makes the query fetch
 * again.
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
