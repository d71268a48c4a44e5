import { defineStore } from 'pinia';

/** Unsaved input of a form, with the state that the form was opened with. */
interface Draft {
  readonly before: object;
  readonly form: object;
}

/** Maximum number of drafts; the oldest is dropped. */
const mostDrafts = 20;

/** Unsaved input of closed forms, kept in memory so that closing one by accident loses nothing. */
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
