import { defineStore } from 'pinia';
import { ref } from 'vue';
import { getHealth } from '../../server/contract/instance.ts';
import { call } from './client.ts';

/** How often a lost server is looked for: soon at first, then less and less often. Milliseconds. */
const lookAgain = { first: 1000, longest: 10_000 };

/** Whether the instance answers. The banner reads it; a found server makes the page's queries fetch again. */
export const useConnectionStore = defineStore('connection', () => {
  const lost = ref(false);
  /** Whether it is lost because its certificate is not the one that was accepted, or one that nobody vouches for. */
  const unproved = ref(false);
  const foundListeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = lookAgain.first;

  /** Told by the client after every request. */
  function note(reached: boolean, code = ''): void {
    unproved.value = !reached && ['untrusted', 'changed'].includes(code);
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
      // Still away, or refusing; `note` has heard from the client which of the two.
    }
    if (!lost.value) return;
    wait = Math.min(wait * 2, lookAgain.longest);
    timer = setTimeout(look, wait);
  }

  /** Forgets what was known, because another server is shown from now on. */
  function begin(): void {
    clearTimeout(timer);
    lost.value = false;
    unproved.value = false;
  }

  /** Looks for the server at once, because the person asked. */
  function lookNow(): void {
    clearTimeout(timer);
    void look();
  }

  /** Calls `listener` each time a lost server is back. */
  function onFound(listener: () => void): () => void {
    foundListeners.add(listener);
    return () => foundListeners.delete(listener);
  }

  return { lost, unproved, note, begin, lookNow, onFound };
});
