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
import { setSignedInCookie } from './signed-in-cookie.ts';

/** `fresh`: the instance has no accounts yet. */
export type SessionState = 'fresh' | 'signed-out' | 'signed-in';

/**
 * Session state on the current instance. In the desktop app the main process holds the key; in a browser the page holds
 * a token.
 */
export const useSessionStore = defineStore('session', () => {
  const instance = useInstanceStore();
  const connection = useConnectionStore();
  const state = ref<SessionState>();
  /** The error that stopped startup, other than a lost connection. */
  const problem = shallowRef<unknown>();
  /** The API key of a new instance, while its page shows it. */
  const newKey = ref<string>();
  /**
   * Why the active account was switched automatically: the user was removed from the team, or the API key is limited to
   * one account.
   */
  const notice = shallowRef<{ reason: 'removed' | 'key'; team: string }>();
  /** Whether the stored session was rejected, and nobody has signed in since. */
  const hasEnded = ref(false);
  /**
   * Whether the account was switched while a page of the previous one is still open; the router resets it after leaving
   * that page.
   */
  const isMoving = ref(false);

  /** Whether a key is stored, but the system's key store is locked. */
  const isLocked = computed(() => problem.value instanceof ApiFailure && problem.value.kind === 'locked');

  /** Incremented by each `begin`: responses to an earlier one are outdated. */
  let turn = 0;

  /** Determines the session state; waits for the server as long as necessary. */
  async function begin(): Promise<void> {
    const mine = ++turn;
    state.value = undefined;
    problem.value = undefined;
    try {
      // Requested in parallel to save a round trip; a rejection is only handled once the type of server is known.
      const account = mayHaveKey() ? instance.loadAccount() : undefined;
      if (account) ignoreRejection(account);
      const meta = await instance.loadMeta();
      if (mine !== turn) return;
      if (meta.setup) {
        state.value = 'fresh';
      } else if (!account && !mayHaveKey()) {
        state.value = 'signed-out';
      } else {
        // A desktop app that lost its list of instances has the local server's key again once that server has started.
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

  /** The stored session is no longer valid; without one, no request would have been sent. */
  function endAtStart(): void {
    hasEnded.value = true;
    endSession();
  }

  function waitForServer(mine: number): void {
    const stop = connection.onFound(() => {
      stop();
      if (mine === turn) void begin();
    });
  }

  /** Awaits the account and loads the server's features. Base contract servers may reject a key with any status. */
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

  /** Switches to another instance and starts over. */
  async function switchTo(id: string): Promise<void> {
    await instance.select(id);
    hasEnded.value = false;
    connection.begin();
    void begin();
  }

  /** Switches to another account, a team or the personal one. The caller then navigates to one of its pages. */
  async function actFor(team: number | undefined): Promise<void> {
    turn++;
    isMoving.value = true;
    state.value = undefined;
    // Wait until the pages are unmounted, so that none of them requests its records as the other account.
    await nextTick();
    instance.actFor(team);
    connection.begin();
    void begin();
  }

  /** The user is no longer a member of the active team: switches to the personal account. */
  function leaveTeam(): void {
    if (instance.team === undefined || state.value === 'signed-out') return;
    notice.value = { reason: 'removed', team: instance.account?.name ?? '' };
    void actFor(undefined);
  }

  /**
   * Signs in to a remote instance with an API key, which the desktop app stores. Throws ApiFailure; a rejected key is
   * deleted again.
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

  /** Enters with the key that the main process received through the browser. Throws ApiFailure. */
  async function enterByBrowser(): Promise<void> {
    enter(await learnAbout(instance.loadAccount()));
  }

  // The desktop app opens short links in the system browser, which does not share its cookies.
  if (!window.desktop) {
    watch(state, (known) => {
      if (known) setSignedInCookie(known === 'signed-in');
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

  /** Creates the first account and signs in. Throws ApiFailure. */
  async function setUpInstance(body: BodyInput<typeof setUp>): Promise<void> {
    const { data } = await call(setUp, { body: { ...habits(), ...body } });
    newKey.value = data.api_key;
    if (instance.meta) instance.meta = { ...instance.meta, setup: false };
    // The desktop app's main process has already signed in.
    if (window.desktop) return arrive(data.account);
    try {
      await signInWith({ login: body.username, password: body.password });
    } catch {
      // The account exists and its key must be shown; the user can sign in manually.
      state.value = 'signed-out';
    }
  }

  /** Signs in. Throws ApiFailure, with code `code_required` if the account has a second factor. */
  async function signInWith(body: BodyInput<typeof signIn>): Promise<void> {
    const { data } = await call(signIn, { body: { ...body, device: body.device ?? deviceName() } });
    if (!window.desktop) storedTokens(localStorage).write(instance.currentId, data.token);
    await arrive(data.account);
  }

  /** Signs in with a passkey. Returns false if the user cancelled. Throws ApiFailure. */
  async function signInByPasskey(): Promise<boolean> {
    const { options } = (await call(passkeySignInOptions)).data;
    return (await finishPasskey(await signWithPasskey(options))) === 'done';
  }

  /** Signs in with a passkey from the autofill list of the username field; false if none was selected. */
  async function signInByOfferedPasskey(): Promise<boolean> {
    const credential = await signWithOfferedPasskey(
      async () => (await call(passkeySignInOptions)).data.options,
    );
    return (await finishPasskey(credential)) === 'done';
  }

  /**
   * Reauthenticates the user during an operation. Returns `other` if the passkey belongs to someone else, without
   * starting a session for them: the input on the page is not theirs. Throws ApiFailure.
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

  /** Completes single sign-on with the provider's response. Throws ApiFailure. */
  async function finishSingleSignOn(answer: string, secret: string): Promise<void> {
    const { data } = await call(finishSso, { body: { answer, secret, device: deviceName() } });
    storedTokens(localStorage).write(instance.currentId, data.token);
    await arrive(data.account);
  }

  /** Registers an account by invitation and signs in. Throws ApiFailure. */
  async function registerWith(body: BodyInput<typeof register>): Promise<void> {
    const { data } = await call(register, {
      body: { ...habits(), ...body, device: body.device ?? deviceName() },
    });
    newKey.value = data.api_key;
    if (!window.desktop) storedTokens(localStorage).write(instance.currentId, data.token);
    await arrive(data.account);
  }

  /** Ends the session here, and on the server if it is reachable. */
  async function signOutHere(): Promise<void> {
    try {
      await call(signOut);
    } catch {
      // Sign out locally anyway; the session on the server will expire.
    }
    endSession();
    hasEnded.value = false;
    // The next user may be someone else.
    instance.actFor(undefined);
  }

  /** Checks whether the session is still valid; the client's error handler reacts to a rejection. */
  async function look(): Promise<void> {
    if (state.value === 'signed-in') await call(getAccount).catch(() => undefined);
  }

  /** Called when the server rejects a request's key. During startup, `begin` handles it. */
  function noteRefusal(): void {
    if (!state.value) return;
    hasEnded.value ||= state.value === 'signed-in';
    endSession();
  }

  /** Goes to the sign-in page without the stored key, which is kept until it is replaced. */
  function signInInstead(): void {
    problem.value = undefined;
    state.value = 'signed-out';
  }

  /** Discards the key or token, which is no longer valid. */
  function endSession(): void {
    storedTokens(localStorage).forget(instance.currentId);
    void window.desktop?.instances.forgetKey(instance.currentId);
    instance.account = undefined;
    state.value = 'signed-out';
  }

  /** Enters after a sign-in, whose response contains the personal account, although the URL may name a team. */
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

  /** Whether a stored key exists that the server may accept. */
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
    endSession,
  };
});

/** Time zone and language of a new user, from the browser or system. */
function habits() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { timezone: timeZone, language: useLanguage().language.value };
}

/** Name of the session in the session list: `Chrome on Windows`. */
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
