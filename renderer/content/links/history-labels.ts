interface Change {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

export interface ChangeLine {
  readonly field: string;
  readonly label: string;
  readonly detail: string;
}

export interface HistoryLabels {
  readonly t: (key: string, named?: Record<string, unknown>) => string;
  readonly te: (key: string) => boolean;
  /** Formats a wire timestamp. */
  readonly timestamp: (text: string) => string;
  readonly channel: (id: number) => string;
  readonly list: (texts: readonly string[]) => string;
}

const moments: ReadonlySet<string> = new Set(['expiry', 'notbefore', 'archiveon', 'deleteon', 'testuntil']);

/** Longer values are truncated; the full value is on the link itself. */
const longest = 120;

/** A change as text, one line per field: "Destination: example.com/a → example.com/b". Fields have their API names. */
export function describeChange({ before, after }: Change, labels: HistoryLabels): ChangeLine[] {
  const { t, te } = labels;
  const fields = Object.keys(after);
  if (fields.length === 0) return [{ field: '', label: t('links.history.changed'), detail: '' }];
  return fields.map((field) => {
    const sentence = wholeSentence(field, after[field]);
    if (sentence) return { field, label: t(`links.history.sentences.${sentence}`), detail: '' };
    const label = te(`links.history.fields.${field}`) ? t(`links.history.fields.${field}`) : field;
    const names = { before: shown(field, before[field], labels), after: shown(field, after[field], labels) };
    const isTold = names.before !== undefined && names.after !== undefined;
    return { field, label, detail: t(isTold ? 'links.history.fromTo' : 'links.history.changedField', names) };
  });
}

/** Boolean changes are described by a full sentence. */
function wholeSentence(field: string, after: unknown): string | undefined {
  switch (field) {
    case 'archived':
      return after === true ? 'archived' : 'unarchived';
    case 'locked':
      return after === true ? 'locked' : 'unlocked';
    case 'protected':
      return after === true ? 'passwordSet' : 'passwordRemoved';
    case 'forwardquery':
      return after === true ? 'forwards' : 'forwardsNot';
    case 'state':
      return after === 'trashed' ? 'deleted' : 'restored';
    default:
      return undefined;
  }
}

/** A value as text; undefined if it does not fit on one line. */
function shown(
  field: string,
  value: unknown,
  { t, timestamp, channel, list }: HistoryLabels,
): string | undefined {
  if (value === null || value === undefined || value === '') return t('links.history.nothing');
  if (Array.isArray(value) && value.length === 0) return t('links.history.nothing');
  if (field === 'channel' && Array.isArray(value)) return list(value.map((id) => channel(Number(id))));
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (moments.has(field)) return timestamp(String(value));
  const text = String(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
