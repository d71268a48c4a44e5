import type { Page } from 'playwright';
import type { ApiReply, AppState, Desktop, Instance, PresentedCertificate } from '../../preload/contract.ts';
import { fingerprint } from './stand-in-replies.ts';

/** Where a new instance is found whose certificate nobody has accepted yet; at any other address, all is well. */
export const unprovedHost = 'roastery.local';

/**
 * Gives the page what the desktop app's preload script would: this computer's server and others in each state. All
 * requests that are answered are answered by the example instance; nothing is written anywhere.
 */
export async function standInDesktop(page: Page): Promise<AsyncDisposable> {
  const parts = new AsyncDisposableStack();
  // The main process serves pictures of instances there.
  parts.use(
    await page.route(/\/instance\/\w+\//, (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/\/instance\/\w+/, ''),
      }),
    ),
  );
  const certificate: PresentedCertificate = {
    fingerprint: fingerprint('5C'),
    kind: 'authority',
    name: 'Waypost on the roastery’s server',
    expires: Date.now() + 80 * 24 * 3_600_000,
    isExpired: false,
  };
  parts.use(await page.addInitScript(provide, { certificate, before: fingerprint('E3'), unprovedHost }));
  return parts;
}

interface Given {
  certificate: PresentedCertificate;
  /** The fingerprint that was accepted of an instance that has another certificate now. */
  before: string;
  unprovedHost: string;
}

/** Runs in the page, so it can use nothing from outside. */
function provide({ certificate, before, unprovedHost }: Given): void {
  const remote = (id: string, name: string, color: string, origin: string, rest: Partial<Instance> = {}) =>
    ({ id, name, color, kind: 'remote', origin, signedIn: true, ...rest }) as const;
  let instances: readonly Instance[] = [
    {
      id: 'local',
      name: 'This computer',
      color: 'primary',
      kind: 'local',
      origin: location.origin,
      signedIn: true,
    },
    remote('office', 'Northwind Coffee', 'teal', 'https://links.northwind-coffee.example'),
    remote('stand', 'Market stand', 'amber', 'http://192.168.1.31:8080', { signedIn: false }),
    remote('store', 'Warehouse', 'rose', 'https://warehouse.local:8443', { fingerprint: before }),
    remote('fair', 'Trade fair', 'sky', 'https://fair.northwind-coffee.example'),
  ];
  const listeners = new Set<(list: Instance[]) => void>();
  const become = (list: readonly Instance[]) => {
    instances = list;
    for (const listener of listeners) listener([...list]);
  };
  const change = (id: string, to: Partial<Instance>) =>
    become(instances.map((one) => (one.id === id ? { ...one, ...to } : one)));
  const away = (unreachable: 'offline' | 'untrusted' | 'changed', message: string) => ({
    unreachable,
    message,
  });
  const state: AppState = {
    shortcut: 'CommandOrControl+Shift+L',
    background: true,
    openAtLogin: false,
    notifications: true,
    updates: true,
    isShortcutTaken: false,
    canOpenAtLogin: true,
    needsApproval: false,
    hasUpdateFeed: true,
    updateCheck: 'latest',
  };
  const unheard = () => () => {};
  const refuse = () => Promise.reject(new Error('The example does not do this.'));

  const desktop: Desktop = {
    platform: 'linux',
    version: '0.1.0',
    instances: {
      list: async () => [...instances],
      current: async () => 'local',
      select: async () => {},
      async add({ name, color, origin }) {
        become([...instances, remote('added', name, color, origin, { signedIn: false })]);
        return 'added';
      },
      edit: async (id, choice) =>
        change(id, { name: choice.name, color: choice.color, origin: choice.origin }),
      remove: async (id) => become(instances.filter((one) => one.id !== id)),
      keepKey: async () => {},
      signInByBrowser: async () => 'cancelled',
      cancelSignIn() {},
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      forgetKey: async (id) => change(id, { signedIn: false }),
      certificate: async () => certificate,
      acceptCertificate: async (id, accepted) => change(id, { fingerprint: accepted }),
    },
    async request(instanceId, _requestId, { method, path, body, account }) {
      const instance = instances.find(({ id }) => id === instanceId);
      const isUnproved = instance?.origin.includes(unprovedHost) && !instance.fingerprint;
      // In the words of the main process.
      if (instanceId === 'store')
        return away('changed', "This server's certificate is not the one you accepted.");
      if (isUnproved) return away('untrusted', "This system does not trust this server's certificate.");
      if (!instance || instanceId === 'fair') return away('offline', 'The server is not responding.');
      const token = localStorage.getItem('waypost:local:token');
      const response = await fetch(path, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(account !== undefined && { 'x-waypost-account': String(account) }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const parsed: unknown = await response.json().catch(() => null);
      return { status: response.status, headers: {}, body: parsed } satisfies ApiReply;
    },
    cancel() {},
    uploads: { begin: refuse, part: refuse, end: refuse, cancel() {} },
    subscribe: unheard,
    suggestedProfile: async () => ({ name: 'Dana Winter', username: 'dana', email: '' }),
    openExternal: async () => {},
    copyText: async () => {},
    copyPicture: async () => {},
    saveFile: async () => false,
    server: {
      state: async () => ({ state: 'running', origin: location.origin }),
      onChange: unheard,
      restart: async () => {},
      showLog: async () => {},
    },
    onCommand: unheard,
    app: {
      getState: async () => state,
      update: async (to) => ({ ...state, ...to }) as AppState,
      onChange: unheard,
    },
    offers: { take: async () => undefined, onWaiting: unheard },
  };
  Object.defineProperty(window, 'desktop', { value: desktop });
}
