import { defineStore } from 'pinia';

/** Fields that were typed and not saved, with the state that they started from. */
interface Draft {
  readonly before: object;
  readonly form: object;
}

/** How many are kept; the oldest goes first. */
const mostDrafts = 20;

/** Forms that were closed before they were saved, until the app is closed: a slip of the finger loses nothing. */
export const useRecordDrafts = defineStore('record-drafts', () => {
  const drafts = new Map<string, Draft>();

  function keep(key: string, draft: Draft): void {
    drafts.delete(key);
    drafts.set(key, draft);
    const [oldest] = drafts.keys();
    if (drafts.size > mostDrafts && oldest !== undefined) drafts.delete(oldest);
  }

  return {
    find: (key: string): Draft | undefined => drafts.get(key),
    keep,
    forget: (key: string): void => void drafts.delete(key),
  };
});
