import type { AuditEntry } from '../../../server/contract/audit.ts';

/** The part of vue-i18n that is needed. */
interface Labels {
  t(key: string): string;
  t(key: string, named: Record<string, unknown>): string;
  t(key: string, named: Record<string, unknown>, plural: number): string;
  te(key: string): boolean;
  /** Joins several facts into one text. */
  list(texts: readonly string[]): string;
}

/**
 * The details of a log entry as one line of text: `anna@example.com → a.berg@example.com`. Unknown details of newer
 * servers are shown with their API name.
 */
export function detailText({ details, user }: Pick<AuditEntry, 'details' | 'user'>, labels: Labels): string {
  // The number of records is already part of the entry's first line.
  const { from, to, fields, count: _count, ...others } = details;
  // Leave out fields shown with their values, and the affected user, who is already part of the entry.
  const changed = namesIn(fields).filter((name) => !(name.toLowerCase() in others));
  if (others.username === user?.username) delete others.username;
  return labels.list([
    ...(isGiven(from) && isGiven(to) ? [labels.t('activity.details.change', { from, to })] : []),
    ...Object.entries(others).flatMap(([name, value]) =>
      isGiven(value) ? [textOf(name, value, labels)] : [],
    ),
    ...changed.map((name) => fieldName(name, labels)),
  ]);
}

function textOf(name: string, value: unknown, labels: Labels): string {
  const { t, te, list } = labels;
  if (name === 'settings') return list(namesIn(value).map((setting) => settingName(setting, labels)));
  if (name === 'scopes') return scopesText(value, labels);
  if (name === 'trashed' && te(`keys.resources.${value}`)) return t(`keys.resources.${value}`);
  if (name === 'left') return t('activity.details.left', { n: Number(value) }, Number(value));
  // A separate message per value: `by.password`, `set.true`.
  const ofValue = `activity.details.${name}.${String(value)}`;
  if (/^\w+$/.test(String(value)) && te(ofValue)) return t(ofValue);
  const plain = Array.isArray(value) ? list(value.map(String)) : plainText(value, labels);
  if (te(`activity.details.${name}`)) return t(`activity.details.${name}`, { value: plain });
  return t('activity.details.other', { name: fieldName(name, labels), value: plain });
}

function scopesText(value: unknown, { t, te, list }: Labels): string {
  if (value === 'full') return t('activity.details.scopes.full');
  const permissions = namesIn(value).map((scope) => {
    const [resource = '', access = ''] = scope.split(':');
    const isKnown = te(`keys.resources.${resource}`) && te(`keys.matrix.${access}`);
    if (!isKnown) return scope;
    return t('activity.details.other', {
      name: t(`keys.resources.${resource}`),
      value: t(`keys.matrix.${access}`),
    });
  });
  return list(permissions);
}

/** Groups of settings have their own names; individual settings use the label of the settings page. */
function settingName(name: string, { t, te }: Labels): string {
  const keys = [`activity.details.groups.${name}`, `instance.fields.${name}.label`];
  const known = keys.find((key) => te(key));
  return known ? t(known) : name;
}

function fieldName(name: string, { t, te }: Labels): string {
  const key = `activity.details.fields.${name.toLowerCase()}`;
  return te(key) ? t(key) : name;
}

function plainText(value: unknown, { t }: Labels): string {
  if (typeof value === 'boolean') return t(value ? 'activity.details.yes' : 'activity.details.no');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}
