/** Text that is already HTML. Created only by `html`, so that every interpolation is escaped. */
export interface Markup {
  readonly markup: string;
}

/** A text with its `{name}` placeholders filled in; text and values are escaped like everything else. */
export function filled(text: string, values: Readonly<Record<string, Interpolated>>): Markup {
  const markup = text
    .split(/(\{[a-z]+\})/)
    .map((part) => markupOf(/^\{[a-z]+\}$/.test(part) ? values[part.slice(1, -1)] : part));
  return { markup: markup.join('') };
}

type Interpolated = string | number | Markup | readonly Markup[] | null | undefined | false;

/** A template whose interpolations are escaped, for elements and quoted attributes alike. */
export function html(parts: TemplateStringsArray, ...values: Interpolated[]): Markup {
  let markup = parts[0] ?? '';
  for (const [index, value] of values.entries()) markup += markupOf(value) + (parts[index + 1] ?? '');
  return { markup };
}

function markupOf(value: Interpolated): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'number') return String(value);
  if ('markup' in value) return value.markup;
  return value.map((part) => part.markup).join('');
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.toWellFormed().replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
