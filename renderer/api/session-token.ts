/** Where a browser keeps its session tokens, one an instance. The desktop keeps keys in its main process. */
export interface SessionTokens {
  read(instanceId: string): string | undefined;
  write(instanceId: string, token: string): void;
  forget(instanceId: string): void;
}

/** The name of a stored record of this client. Two instances never share one. */
export function storageKey(instanceId: string, name: string): string {
  return `waypost:${instanceId}:${name}`;
}

/** Tokens in the browser's own storage; they outlive the tab, and signing out revokes them. */
export function storedTokens(storage: Storage): SessionTokens {
  return {
    read: (instanceId) => storage.getItem(storageKey(instanceId, 'token')) ?? undefined,
    write: (instanceId, token) => storage.setItem(storageKey(instanceId, 'token'), token),
    forget: (instanceId) => storage.removeItem(storageKey(instanceId, 'token')),
  };
}
