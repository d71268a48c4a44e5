import { contextBridge, ipcRenderer } from 'electron';
import type { Desktop, DesktopAnswer, DesktopCalls, DesktopPushes, Unsubscribe } from './contract.ts';

/** Passed by the main process as a command-line argument. */
const version =
  process.argv.find((argument) => argument.startsWith('--waypost-version='))?.split('=')[1] ?? '';

let subscriptions = 0;

const desktop = {
  platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
  version,
  instances: {
    list: () => ask('instances:list'),
    current: () => ask('instances:current'),
    select: (id) => ask('instances:select', id),
    add: (choice) => ask('instances:add', choice),
    edit: (id, choice) => ask('instances:edit', id, choice),
    remove: (id) => ask('instances:remove', id),
    keepKey: (id, key) => ask('instances:keep-key', id, key),
    signInByBrowser: (id) => ask('instances:sign-in', id),
    cancelSignIn: () => tell('instances:sign-in', ''),
    onChange: (listener) => listen('instances:changed', listener),
    forgetKey: (id) => ask('instances:forget-key', id),
    certificate: (id) => ask('instances:certificate', id),
    acceptCertificate: (id, fingerprint) => ask('instances:accept-certificate', id, fingerprint),
  },
  request: (instanceId, requestId, request) => ask('api:request', instanceId, requestId, request),
  cancel: (requestId) => tell('api:cancel', requestId),
  uploads: {
    begin: (instanceId, uploadId, path, size, account) =>
      ask('upload:begin', instanceId, uploadId, path, size, ...whereGiven(account)),
    part: (uploadId, bytes) => ask('upload:part', uploadId, bytes),
    end: (uploadId) => ask('upload:end', uploadId),
    cancel: (uploadId) => tell('upload:cancel', uploadId),
  },
  subscribe(instanceId, listener, account, onRefused) {
    const subscription = `${++subscriptions}`;
    const stop = listen('events:document', (name, document) => {
      if (name === subscription) listener(document);
    });
    const stopRefusals = listen('events:refused', (name) => {
      if (name === subscription) onRefused?.();
    });
    tell('events:subscribe', subscription, instanceId, ...whereGiven(account));
    return () => {
      stop();
      stopRefusals();
      tell('events:unsubscribe', subscription);
    };
  },
  suggestedProfile: () => ask('profile:suggest'),
  openExternal: (url) => ask('external:open', url),
  copyText: (text) => ask('clipboard:copy', text),
  copyPicture: (png) => ask('clipboard:copy-picture', png),
  saveFile: (name, bytes) => ask('file:save', name, bytes),
  server: {
    state: () => ask('server:state'),
    onChange: (listener) => listen('server:changed', listener),
    restart: () => ask('server:restart'),
    showLog: () => ask('server:show-log'),
  },
  onCommand: (listener) => listen('command', listener),
  app: {
    getState: () => ask('app:state'),
    update: (change) => ask('app:update', change),
    onChange: (listener) => listen('app:changed', listener),
  },
  offers: {
    take: () => ask('offers:take'),
    onWaiting: (listener) => listen('offers:waiting', listener),
  },
} satisfies Desktop;

contextBridge.exposeInMainWorld('desktop', desktop);

/** Omits undefined arguments, because some IPC serializers do not distinguish `undefined` from `null`. */
function whereGiven<Value>(value: Value | undefined): [] | [Value] {
  return value === undefined ? [] : [value];
}

async function ask<Channel extends keyof DesktopCalls>(
  channel: Channel,
  ...args: DesktopCalls[Channel]['arguments']
): Promise<DesktopCalls[Channel]['reply']> {
  const answer: DesktopAnswer<DesktopCalls[Channel]['reply']> = await ipcRenderer.invoke(channel, ...args);
  if (answer.ok) return answer.value;
  throw new Error(answer.message);
}

/** For calls whose result is not awaited. */
function tell<Channel extends keyof DesktopCalls>(
  channel: Channel,
  ...args: DesktopCalls[Channel]['arguments']
): void {
  ask(channel, ...args).catch(() => {
    // Rejections are in the main process's log; the page cannot handle them.
  });
}

/**
 * Subscribes to a push channel. The event object is not passed on, because it would give the page access to every
 * channel.
 */
function listen<Channel extends keyof DesktopPushes>(
  channel: Channel,
  listener: (...args: DesktopPushes[Channel]) => void,
): Unsubscribe {
  // Electron types payloads as any; the actual types are those that main/shell/ipc.ts sends on this channel.
  const heard = (_event: unknown, ...args: unknown[]) => listener(...(args as DesktopPushes[Channel]));
  ipcRenderer.on(channel, heard);
  return () => {
    ipcRenderer.off(channel, heard);
  };
}
