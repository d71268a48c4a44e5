interface Change {
  readonly action: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

export interface ChangeLine {
  readonly field: string;
  readonly label: string;
  readonly detail: string;
}

type Translate = (key: string, named?: Record<string, unknown>) => string;

/** Long values are cut; the whole one is on the link itself. */
const longest = 120;

/** A change in words, one line a field: "Destination: example.com/a → example.com/b". */
export function describeChange(change: Change, t: Translate, te: (key: string) => boolean): ChangeLine[] {
  const fields = Object.keys(change.after);
  if (fields.length === 0) return [{ field: change.action, label: t('links.history.changed'), detail: '' }];
  return fields.map((field) => {
    const before = change.before[field];
    const after = change.after[field];
    const whole = wholeSentence(field, after);
    if (whole) return { field, label: t(`links.history.sentences.${whole}`), detail: '' };
    const label = te(`links.history.fields.${field}`)
      ? t(`links.history.fields.${field}`)
      : field.replaceAll('_', ' ');
    const isPlain = [before, after].every(
      (value) => value === null || ['string', 'number'].includes(typeof value),
    );
    if (!isPlain || isHidden(field)) return { field, label, detail: t('links.history.changedField') };
    const names = { before: shown(before, t), after: shown(after, t) };
    return { field, label, detail: t('links.history.fromTo', names) };
  });
}

/** Changes that are a switch read better as a sentence of their own. */
function wholeSentence(field: string, after: unknown): string | undefined {
  const isOn = after === 1 || after === true;
  if (field === 'archived') return isOn ? 'archived' : 'unarchived';
  if (field === 'locked') return isOn ? 'locked' : 'unlocked';
  if (field === 'trashed_at') return after === null ? 'restored' : 'deleted';
  return undefined;
}

/** What no one should read here: hashes, lists as JSON, moments as numbers. */
function isHidden(field: string): boolean {
  return /password|rules|abtesting|parameters|deeplink|pixels|_at$|_id$|channels/.test(field);
}

function shown(value: unknown, t: Translate): string {
  if (value === null || value === '') return t('links.history.nothing');
  const text = String(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
