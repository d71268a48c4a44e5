import { defineStore } from 'pinia';
import { computed, nextTick, ref, shallowRef, watch } from 'vue';
import { type Account, getAccount } from '../../../server/contract/account.ts';
import type { BodyInput } from '../../../server/contract/endpoint.ts';
import { passkeySignInOptions, signInWithPasskey } from '../../../server/contract/passkeys.ts';
import { setUp, signIn, signOut } from '../../../server/contract/sessions.ts';
import { finishSingleSignOn as finishSso } from '../../../server/contract/single-sign-on.ts';
import { register } from '../../../server/contract/users.ts';
import { askDesktop } from '../../api/ask-desktop.ts';
import { call } from '../../api/client.ts';
import { useConnectionStore } from '../../api/connection.ts';
import { ApiFailure } from '../../api/failure.ts';
import { ignoreRejection } from '../../api/ignore-rejection.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { storedTokens } from '../../api/session-token.ts';
import { useLanguage } from '../../ui/use-language.ts';
import { signWithOfferedPasskey, signWithPasskey } from '../passkeys/web-authn.ts';
import { markBrowser } from './browser-mark.ts';

/** `fresh`: the instance has no account yet. */
export type SessionState = 'fresh' | 'signed-out' | 'signed-in';

/**
 * Who is signed in at the current instance. In the desktop the main process holds the key, in a browser we hold a
 * token.
 */
export const useSessionStore = defineStore('session', () => {
  const instance = useInstanceStore();
  const connection = useConnectionStore();
  const state = ref<SessionState>();
  /** What stopped the start, when it was not the connection. */
  const problem = shallowRef<unknown>();
  /** The API key of a set-up, while its page shows it. */
  const newKey = ref<string>();
  /**
   * Why another account acts than the person chose: they are in the team no longer, or an API key acts in one account.
   */
  const notice = shallowRef<{ reason: 'removed' | 'key'; team: string }>();
  /** Whether the sign-in that was kept here is no good any more, and nobody has signed in since. */
  const hasEnded = ref(false);
  /** Whether another account acts than the page that is open belongs to; the router says when it has left it. */
  const isMoving = ref(false);

  /** Whether a sign-in is kept that the system's key store does not give out now. */
  const isLocked = computed(() => problem.value instanceof ApiFailure && problem.value.kind === 'locked');

  /** Counts the beginnings: an answer that comes after the next one began is about another instance. */
  let turn = 0;

  /** Finds out where we stand; waits for the server as long as it takes. */
  async function begin(): Promise<void> {
    const mine = ++turn;
    state.value = undefined;
    problem.value = undefined;
    try {
      // Asked together, for one journey to the server less; a refusal counts only once it is known what the server is.
      const account = mayHaveKey() ? instance.loadAccount() : undefined;
      if (account) ignoreRejection(account);
      const meta = await instance.loadMeta();
      if (mine !== turn) return;
      if (meta.setup) {
        state.value = 'fresh';
      } else if (!account && !mayHaveKey()) {
        state.value = 'signed-out';
      } else {
        // A desktop that has lost its list of instances knows whose its own server's key is once that has started.
        const own = await learnAbout(account ?? instance.loadAccount());
        if (mine === turn) enter(own);
      }
    } catch (error) {
      if (mine !== turn) return;
      if (error instanceof ApiFailure && error.kind === 'unauthorized') endAtStart();
      else if (error instanceof ApiFailure && error.kind === 'unreachable') waitForServer(mine);
      else problem.value = error;
    }
  }

  /** What was kept from before is no good any more; without it nobody would have asked. */
  function endAtStart(): void {
    hasEnded.value = true;
    lose();
  }

  function waitForServer(mine: number): void {
    const stop = connection.onFound(() => {
      stop();
      if (mine === turn) void begin();
    });
  }

  /** The account when it comes, and with it what the server can do. A plain server may refuse a key with any status. */
  async function learnAbout(account: Promise<Account>): Promise<Account> {
    try {
      const own = await account;
      if (instance.team !== undefined && own.id !== instance.team) {
        instance.actFor(undefined);
        notice.value = { reason: 'key', team: '' };
      }
      await instance.learnFeatures();
      return own;
    } catch (error) {
      const isRefusal = error instanceof ApiFailure && error.kind === 'refused' && error.status < 500;
      if (!isRefusal || !instance.isBaseContract) throw error;
      throw new ApiFailure('unauthorized', error.message, { status: error.status });
    }
  }

  /** Shows another instance from its beginning. */
  async function switchTo(id: string): Promise<void> {
    await instance.select(id);
    hasEnded.value = false;
    connection.begin();
    void begin();
  }

  /** Lets another account act, a team or the person's own. The caller then goes to a page of it. */
  async function actFor(team: number | undefined): Promise<void> {
    turn++;
    isMoving.value = true;
    state.value = undefined;
    // The pages are gone then: none of them asks for its records in the name of the other account.
    await nextTick();
    instance.actFor(team);
    connection.begin();
    void begin();
  }

  /** The person has no part in the team that acts, or no longer: their own account takes its place. */
  function leaveTeam(): void {
    if (instance.team === undefined || state.value === 'signed-out') return;
    notice.value = { reason: 'removed', team: instance.account?.name ?? '' };
    void actFor(undefined);
  }

  /**
   * Signs in at a remote instance with an API key, in the desktop, which keeps the key. Throws ApiFailure; a key that
   * is refused is forgotten again.
   */
  async function useKey(key: string): Promise<void> {
    const { desktop } = window;
    if (!desktop) throw new Error('Only the desktop keeps keys.');
    const id = instance.currentId;
    await askDesktop(() => desktop.instances.keepKey(id, key));
    try {
      enter(await learnAbout(instance.loadAccount()));
    } catch (error) {
      await desktop.instances.forgetKey(id);
      throw error;
    }
  }

  /** Enters with the key that the main process has just got through the browser. Throws ApiFailure. */
  async function enterByBrowser(): Promise<void> {
    enter(await learnAbout(instance.loadAccount()));
  }

  // The desktop opens short links in the person's own browser, which knows nothing of it.
  if (!window.desktop) {
    watch(state, (known) => {
      if (known) markBrowser(known === 'signed-in');
    });
  }

  /** Resolves once the state is known. */
  function settled(): Promise<SessionState> {
    return new Promise((resolve) => {
      const stop = watch(
        state,
        (known) => {
          if (!known) return;
          resolve(known);
          queueMicrotask(() => stop());
        },
        { immediate: true },
      );
    });
  }

  /** Creates the first account and signs in with it. Throws ApiFailure. */
  async function setUpInstance(body: BodyInput<typeof setUp>): Promise<void> {
    const { data } = await call(setUp, { body: { ...habits(), ...body } });
    newKey.value = data.api_key;
    if (instance.meta) instance.meta = { ...instance.meta, setup: false };
    // The desktop's main process has signed in by itself.
    if (window.desktop) return arrive(data.account);
    try {
      await signInWith({ login: body.username, password: body.password });
    } catch {
      // The account is there and its key must be shown; signing in can be done by hand.
      state.value = 'signed-out';
    }
  }

  /** Throws ApiFailure; `code_required` when the account has a second factor. */
  async function signInWith(body: BodyInput<typeof signIn>): Promise<void> {
    const { data } = await call(signIn, { body: { ...body, device: body.device ?? deviceName() } });
    if (!window.desktop) storedTokens(localStorage).write(instance.currentId, data.token);
    await arrive(data.account);
  }

  /** Signs in with a passkey. Throws ApiFailure; false when the person changed their mind. */
  async function signInByPasskey(): Promise<boolean> {
    const { options } = (await call(passkeySignInOptions)).data;
    return (await finishPasskey(await signWithPasskey(options))) === 'done';
  }

  /** Signs in with a passkey that the browser offers where the user name is typed; false where none is chosen. */
  async function signInByOfferedPasskey(): Promise<boolean> {
    const credential = await signWithOfferedPasskey(
      async () => (await call(passkeySignInOptions)).data.options,
    );
    return (await finishPasskey(credential)) === 'done';
  }

  /**
   * Signs the person in anew, in the middle of what they do. Throws ApiFailure; `other` when the passkey is of somebody
   * else, whose session is then not begun here: what was typed is not theirs.
   */
  async function signInAgainByPasskey(person: number): Promise<'done' | 'cancelled' | 'other'> {
    const { options } = (await call(passkeySignInOptions)).data;
    return finishPasskey(await signWithPasskey(options), person);
  }

  async function finishPasskey(
    credential: Awaited<ReturnType<typeof signWithPasskey>>,
    person?: number,
  ): Promise<'done' | 'cancelled' | 'other'> {
    if (credential === 'cancelled') return 'cancelled';
    const { data } = await call(signInWithPasskey, { body: { credential, device: deviceName() } });
    if (person !== undefined && data.account.id !== person) return 'other';
    storedTokens(localStorage).write(instance.currentId, data.token);
    await arrive(data.account);
    return 'done';
  }

  /** Signs in with what the provider of single sign-on answered. Throws ApiFailure. */
  async function finishSingleSignOn(answer: string, secret: string): Promise<void> {
    const { data } = await call(finishSso, { body: { answer, secret, device: deviceName() } });
    storedTokens(localStorage).write(instance.currentId, data.token);
    await arrive(data.account);
  }

  /** Makes an account by an invitation and signs in with it. Throws ApiFailure. */
  async function registerWith(body: BodyInput<typeof register>): Promise<void> {
    const { data } = await call(register, {
      body: { ...habits(), ...body, device: body.device ?? deviceName() },
    });
    newKey.value = data.api_key;
    if (!window.desktop) storedTokens(localStorage).write(instance.currentId, data.token);
    await arrive(data.account);
  }

  /** Ends the session here and on the server, if it can be reached. */
  async function signOutHere(): Promise<void> {
    try {
      await call(signOut);
    } catch {
      // Signed out here all the same; a session that cannot be ended now runs out by itself.
    }
    lose();
    hasEnded.value = false;
    // Whoever signs in next may be somebody else.
    instance.actFor(undefined);
  }

  /** Asks whether we are still who we were; whoever hears the refusal acts on it. */
  async function look(): Promise<void> {
    if (state.value === 'signed-in') await call(getAccount).catch(() => undefined);
  }

  /** The server refused the key of a request. While it is found out where we stand, `begin` says what follows. */
  function noteRefusal(): void {
    if (!state.value) return;
    hasEnded.value ||= state.value === 'signed-in';
    lose();
  }

  /** Goes to the sign-in without the key that is kept, which stays until another takes its place. */
  function signInInstead(): void {
    problem.value = undefined;
    state.value = 'signed-out';
  }

  /** The key or token is no good any more. */
  function lose(): void {
    storedTokens(localStorage).forget(instance.currentId);
    void window.desktop?.instances.forgetKey(instance.currentId);
    instance.account = undefined;
    state.value = 'signed-out';
  }

  /** After a sign-in, which answers with the person's own account: the address may name a team. */
  async function arrive(own: Account): Promise<void> {
    if (instance.team === undefined) return enter(own);
    try {
      enter(await learnAbout(instance.loadAccount()));
    } catch {
      instance.actFor(undefined);
      notice.value = { reason: 'removed', team: '' };
      enter(own);
    }
  }

  function enter(account: Account): void {
    instance.account = account;
    hasEnded.value = false;
    state.value = 'signed-in';
  }

  /** Whether a key is kept here that the server may still take. */
  function mayHaveKey(): boolean {
    if (window.desktop) return instance.current.signedIn;
    return storedTokens(localStorage).read(instance.currentId) !== undefined;
  }

  return {
    state,
    problem,
    isLocked,
    signInInstead,
    newKey,
    mayHaveKey,
    begin,
    switchTo,
    actFor,
    leaveTeam,
    notice,
    hasEnded,
    look,
    isMoving,
    useKey,
    enterByBrowser,
    settled,
    setUpInstance,
    signInWith,
    signInByPasskey,
    signInAgainByPasskey,
    signInByOfferedPasskey,
    finishSingleSignOn,
    registerWith,
    signOutHere,
    noteRefusal,
    lose,
  };
});

/** The time zone and the language of somebody new, as their browser or system has them. */
function habits() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { timezone: timeZone, language: useLanguage().language.value };
}

/** How the session is called in the list of sessions: `Chrome on Windows`. */
function deviceName(): string {
  const agent = navigator.userAgent;
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /Firefox\//.test(agent)
      ? 'Firefox'
      : /Chrome\//.test(agent)
        ? 'Chrome'
        : /Safari\//.test(agent)
          ? 'Safari'
          : 'Browser';
  const system = /Windows/.test(agent)
    ? 'Windows'
    : /Android/.test(agent)
      ? 'Android'
      : /iPhone|iPad/.test(agent)
        ? 'iOS'
        : /Mac OS/.test(agent)
          ? 'macOS'
          : 'Linux';
  return `${window.desktop ? 'Waypost' : browser} on ${system}`;
}
