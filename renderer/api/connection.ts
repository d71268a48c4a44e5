import { defineStore } from 'pinia';
import { ref } from 'vue';
import { getHealth } from '../../server/contract/instance.ts';
import { call } from './client.ts';

/** Exponential backoff when polling for a lost server, in milliseconds. */
const lookAgain = { first: 1000, longest: 10_000 };

/** Whether the instance responds. Shown by the banner; when the server is back, the page's queries reload. */
export const useConnectionStore = defineStore('connection', () => {
  const lost = ref(false);
  /** Whether the connection failed because the certificate is untrusted, or differs from the accepted one. */
  const unproved = ref(false);
  const foundListeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = lookAgain.first;

  /** Called by the client after every request. */
  function note(reached: boolean, code = ''): void {
    unproved.value = !reached && ['untrusted', 'certificate_changed'].includes(code);
    if (reached === !lost.value) return;
    lost.value = !reached;
    clearTimeout(timer);
    if (reached) {
      for (const listener of foundListeners) listener();
    } else {
      wait = lookAgain.first;
      timer = setTimeout(look, wait);
    }
  }

  async function look(): Promise<void> {
    try {
      await call(getHealth);
    } catch {
      // Still unreachable, or rejecting requests; the client has reported which to `note`.
    }
    if (!lost.value) return;
    wait = Math.min(wait * 2, lookAgain.longest);
    timer = setTimeout(look, wait);
  }

  /** Resets the state when another server is selected. */
  function begin(): void {
    clearTimeout(timer);
    lost.value = false;
    unproved.value = false;
  }

  /** Retries immediately at the user's request. */
  function lookNow(): void {
    clearTimeout(timer);
    void look();
  }

  /** Calls `listener` each time a lost server is reachable again. Returns a function that unsubscribes. */
  function onFound(listener: () => void): () => void {
    foundListeners.add(listener);
    return () => foundListeners.delete(listener);
  }

  return { lost, unproved, note, begin, lookNow, onFound };
});
