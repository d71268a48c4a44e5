import { newLink } from '../../../../server/contract/links.ts';
import { pastedAddress } from '../../../ui/addresses.ts';
import { bodyOf, emptyForm, type LinkFormState } from './link-form-state.ts';
import { isBlankRule } from './rule-form.ts';

export interface FormProblem {
  readonly name: string;
  readonly message: string;
}

export interface CheckLabels {
  readonly required: string;
  readonly address: string;
  readonly percentage: string;
}

/**
 * Validates the form; returns errors by field, in the format of UForm. Uses the contract's rules, and also checks URLs,
 * so that typos are reported before the request is sent.
 */
export function checkForm(form: LinkFormState, labels: CheckLabels): FormProblem[] {
  const problems = new Map<string, string>();
  const note = (name: string, message: string) => {
    if (!problems.has(name)) problems.set(name, message);
  };

  if (form.url.trim() === '') note('url', labels.required);
  for (const [name, text] of addressesOf(form)) {
    if (text.trim() !== '' && !pastedAddress(text)) note(name, labels.address);
  }
  if (form.abtesting.reduce((sum, variant) => sum + variant.percentage, 0) > 100)
    note('abtesting', labels.percentage);

  const checked = newLink.safeParse({ url: form.url, ...bodyOf(form, emptyForm()) });
  for (const issue of checked.success ? [] : checked.error.issues) {
    const name = issue.path.join('.');
    if (isBlankRow(form, issue.path)) continue;
    note(name, issue.code === 'too_small' && issue.minimum === 1 ? labels.required : issue.message);
  }
  return [...problems].map(([name, message]) => ({ name, message }));
}

function addressesOf(form: LinkFormState): [string, string][] {
  const lists = ['geotarget', 'devicetarget', 'languagetarget'] as const;
  return [
    ['url', form.url],
    ['expirationredirect', form.expirationredirect],
    ['metaimage', form.metaimage],
    ...form.rules.map((rule, index): [string, string] => [`rules.${index}.link`, rule.link]),
    ...form.abtesting.map((row, index): [string, string] => [`abtesting.${index}.url`, row.url]),
    ...lists.flatMap((list) =>
      form[list].map((row, index): [string, string] => [`${list}.${index}.link`, row.link]),
    ),
  ];
}

/** An empty new row is not an error; it is left out on saving. */
function isBlankRow(form: LinkFormState, path: readonly PropertyKey[]): boolean {
  const [list, index] = path;
  if (typeof index !== 'number') return false;
  const rule = list === 'rules' ? form.rules[index] : undefined;
  if (rule) return isBlankRule(rule);
  const rows = form[list as keyof LinkFormState];
  if (!Array.isArray(rows)) return false;
  const row: unknown = rows[index];
  if (typeof row !== 'object' || row === null) return false;
  return Object.values(row).every((value) => value === '' || typeof value === 'number');
}
