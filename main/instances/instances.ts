import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Instance, InstanceChoice, Unsubscribe } from '../../preload/contract.ts';
import { safeParse } from '../../server/contract/safe-parse.ts';
import { fingerprintOf, isCertificate } from '../requests/presented-certificate.ts';
import { Refused } from '../requests/refused.ts';
import type { ServerProcess } from '../server/server-process.ts';
import { ignoreRejection, type JsonFile } from '../storage/json-file.ts';
import type { Secrets } from '../storage/secrets.ts';
import { agreeFirst, isExposed } from './key-for.ts';
import type { Target } from './target.ts';

/** The servers known to this desktop app. */
export interface Instances {
  list(): Instance[];
  current(): string;
  /** Selects an instance and notifies the listeners. Throws Refused for an unknown id. */
  select(id: string): void;
  /**
   * Returns the new id. Throws Refused if the address is not an origin or already exists, or if there are 100 already.
   */
  add(choice: InstanceChoice): string;
  /**
   * Updates a remote instance. Throws Refused like `add`, and for an unknown id. Changing the origin deletes the old
   * key.
   */
  edit(id: string, choice: InstanceChoice): void;
  /** Deletes a remote instance and its key. Throws Refused for an unknown id. */
  remove(id: string): void;
  /**
   * Stores a key entered by the user, bound to the instance's origin. Throws Refused for an unknown id, or if the key
   * would be sent unencrypted without the user's consent.
   */
  keepKey(id: string, key: string): Promise<void>;
  onChange(listener: (instances: Instance[]) => void): Unsubscribe;
  /** Undefined for an unknown instance, and for the local one while its server is not running. */
  findTarget(id: string): Target | undefined;
  /** Like `findTarget`, but waits while the local server is starting. Rejects when `signal` aborts. */
  reachTarget(id: string, signal: AbortSignal): Promise<Target | undefined>;
  /** Records whether the instance accepted the key of a request. */
  noteKey(id: string, accepted: boolean): void;
  /** Notifies the listeners that a key was stored. */
  noteSignIn(id: string): void;
  forgetKey(id: string): void;
  /** The certificate (PEM) that the user accepted for the server at this origin. */
  pinOf(origin: string): string | undefined;
  /** Stores the certificate that the user accepted for an instance. Throws Refused for an unknown id. */
  pin(id: string, pem: string): void;
}

export const localId = 'local';

const remote = z
  .looseObject({
    id: z
      .string()
      .min(1)
      .max(100)
      .refine((id) => id !== localId),
    name: z.string().max(100),
    color: z.string().max(30),
    /** Normalized like `URL.origin`, so that it can be compared and concatenated. */
    origin: z.string().refine(isExactOrigin),
    /** The certificate that the user accepted, as PEM. */
    pin: z.string().max(20_000).refine(isCertificate).optional(),
    /** Whether the user agreed to send the key unencrypted. */
    allowsInsecure: z.boolean().optional(),
    /** The earlier name of `allowsInsecure`, in files that are already stored. */
    allowsPlain: z.boolean().optional(),
  })
  .transform(({ allowsPlain, allowsInsecure = allowsPlain, ...row }) => ({
    ...row,
    ...(allowsInsecure !== undefined && { allowsInsecure }),
  }));

const mostRemotes = 100;

/** Loose: properties added by newer versions are preserved. */
export const storedInstances = z.looseObject({
  remotes: z.array(remote).superRefine((remotes, context) => {
    // One issue per row, so that an invalid row does not discard the others (see `withoutFaults` in json-file.ts).
    for (const row of surplusRows(remotes)) context.addIssue({ code: 'custom', path: [row] });
  }),
  /** The id of the selected instance. */
  current: z.string(),
  /** The local server's id at its last run, so that the app knows at startup whether the user is signed in. */
  localId: z.string().optional(),
});
export type StoredInstances = z.output<typeof storedInstances>;

/** Indexes of duplicate rows and of rows beyond the maximum. */
function surplusRows(remotes: readonly z.output<typeof remote>[]): number[] {
  const taken = new Set<string>();
  let kept = 0;
  return remotes.flatMap(({ id, origin }, row) => {
    const names = [`id ${id}`, `origin ${origin}`];
    if (kept === mostRemotes || names.some((name) => taken.has(name))) return [row];
    kept += 1;
    for (const name of names) taken.add(name);
    return [];
  });
}

interface InstancesOptions {
  file: JsonFile<StoredInstances>;
  secrets: Secrets;
  server: Pick<ServerProcess, 'onChange' | 'running' | 'state'>;
  /** Called with a message when a write that the user did not request fails. */
  onNotWritten: (message: string) => void;
}

export function knownInstances({ file, secrets, server, onNotWritten }: InstancesOptions): Instances {
  const listeners = new Set<(instances: Instance[]) => void>();
  const refused = new Set<string>();
  /** The selected instance, even if saving the selection failed. */
  let shown: string | undefined;

  server.onChange(() => {
    const running = server.running();
    if (running && running.instanceId !== file.read().localId) {
      ignoreRejection(() => file.write({ ...file.read(), localId: running.instanceId }), onNotWritten);
    }
    tell();
  });

  function tell(): void {
    for (const listener of listeners) listener(list());
  }

  function list(): Instance[] {
    const local = {
      id: localId,
      name: 'This computer',
      color: 'primary',
      kind: 'local' as const,
      origin: server.running()?.origin ?? '',
    };
    const others = file.read().remotes.map(({ id, name, color, origin, pin, allowsInsecure }) => ({
      ...{ id, name, color, origin },
      kind: 'remote' as const,
      ...(pin !== undefined && { fingerprint: fingerprintOf(pin) }),
      ...(allowsInsecure && { allowsInsecure }),
    }));
    return [local, ...others].map((instance) => ({ ...instance, signedIn: isSignedIn(instance.id) }));
  }

  function isSignedIn(id: string): boolean {
    const binding = bindingOf(id);
    return binding !== undefined && secrets.has(binding) && !refused.has(id) && !isClear(id);
  }

  /**
   * The identity that a key is bound to. For a remote instance this is its exact origin. The local server's port can
   * change and be taken over by another program, so its key is bound to the data folder's id, as announced by our own
   * child process.
   */
  function bindingOf(id: string): string | undefined {
    if (id === localId) {
      const known = server.running()?.instanceId ?? file.read().localId;
      return known && `local:${known}`;
    }
    return findRemote(id)?.origin;
  }

  function findRemote(id: string): StoredInstances['remotes'][number] | undefined {
    return file.read().remotes.find((known) => known.id === id);
  }

  function isClear(id: string): boolean {
    const known = findRemote(id);
    return known !== undefined && isExposed(known.origin) && !known.allowsInsecure;
  }

  function findTarget(id: string): Target | undefined {
    const origin = id === localId ? server.running()?.origin : findRemote(id)?.origin;
    const binding = bindingOf(id);
    if (origin === undefined || binding === undefined) return undefined;
    return { kind: id === localId ? 'local' : 'remote', origin, binding, isClear: isClear(id) };
  }

  function checkedRemote(id: string, choice: InstanceChoice): StoredInstances['remotes'][number] {
    const parsed = safeParse(remote, { id, ...choice });
    if (!parsed.success) throw new Refused('This is not a server URL.');
    const twin = file.read().remotes.find((known) => known.origin === choice.origin && known.id !== id);
    if (twin) throw new Refused(`This URL is already added as “${twin.name}”.`);
    return parsed.data;
  }

  /** Throws Refused if the id is not a remote instance. */
  function remoteOf(id: string): StoredInstances['remotes'][number] {
    const known = findRemote(id);
    if (!known) throw new Refused('Instance not found.');
    return known;
  }

  /** Writes the list with one row replaced, or removed if `changed` is undefined. */
  function replace(id: string, changed: StoredInstances['remotes'][number] | undefined): void {
    const { remotes, ...rest } = file.read();
    const others = remotes.flatMap((known) => (known.id === id ? (changed ?? []) : known));
    file.write({ ...rest, remotes: others });
  }

  function forgetKey(id: string, binding: string | undefined): void {
    if (binding) secrets.forget(binding);
    refused.delete(id);
  }

  return {
    list,
    add(choice) {
      const stored = file.read();
      if (stored.remotes.length >= mostRemotes) throw new Refused('You can add at most 100 instances.');
      const added = checkedRemote(randomUUID(), choice);
      file.write({ ...stored, remotes: [...stored.remotes, added] });
      tell();
      return added.id;
    },
    edit(id, choice) {
      const before = remoteOf(id);
      const after = checkedRemote(id, choice);
      const isSameServer = after.origin === before.origin;
      // Write first: if this fails, nothing has changed and the key is still there.
      replace(id, { ...after, ...(isSameServer && before.pin !== undefined && { pin: before.pin }) });
      if (!isSameServer || (isExposed(after.origin) && !after.allowsInsecure)) forgetKey(id, before.origin);
      tell();
    },
    remove(id) {
      const { origin } = remoteOf(id);
      replace(id, undefined);
      forgetKey(id, origin);
      tell();
    },
    async keepKey(id, key) {
      const { origin, allowsInsecure } = remoteOf(id);
      if (isExposed(origin) && !allowsInsecure) throw new Refused(agreeFirst);
      refused.delete(id);
      await secrets.keep(origin, key);
      tell();
    },
    current() {
      const current = shown ?? file.read().current;
      return findRemote(current) ? current : localId;
    },
    select(id) {
      if (id !== localId && !findRemote(id)) throw new Refused('Instance not found.');
      if ((shown ?? file.read().current) === id) return;
      shown = id;
      // A full disk must not lock the user into an instance that does not respond.
      ignoreRejection(() => file.write({ ...file.read(), current: id }), onNotWritten);
      tell();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    findTarget,
    reachTarget(id, signal) {
      return new Promise((resolve, reject) => {
        const stopListening = server.onChange(look);
        signal.addEventListener('abort', giveUp, { once: true });
        if (signal.aborted) giveUp();
        else look();
        function look() {
          const target = findTarget(id);
          const isComing = id === localId && ['starting', 'restarting'].includes(server.state().state);
          if (target || !isComing) end(() => resolve(target));
        }
        function giveUp() {
          end(() => reject(signal.reason));
        }
        function end(settle: () => void) {
          stopListening();
          signal.removeEventListener('abort', giveUp);
          settle();
        }
      });
    },
    noteKey(id, accepted) {
      const isNews = accepted === refused.has(id);
      if (!isNews) return;
      if (accepted) refused.delete(id);
      else refused.add(id);
      tell();
    },
    noteSignIn(id) {
      refused.delete(id);
      tell();
    },
    forgetKey(id) {
      forgetKey(id, bindingOf(id));
      tell();
    },
    pinOf: (origin) => file.read().remotes.find((known) => known.origin === origin)?.pin,
    pin(id, pem) {
      replace(id, { ...remoteOf(id), pin: pem });
      tell();
    },
  };
}

function isExactOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.origin === text && (url.protocol === 'http:' || url.protocol === 'https:');
}
