import { type OpenApi, type Operation, resolved, type Schema } from './openapi.ts';

/** Realistic sample values by field name. */
const examples: Record<string, unknown> = {
  url: 'https://example.com/',
  link: 'https://example.com/',
  custom: 'spring',
  email: 'ada@example.com',
  username: 'ada',
  name: 'Ada',
  login: 'ada',
  password: 'correct horse battery staple',
  title: 'Spring sale',
};

/** A curl command for an operation, ready to paste into a shell. */
export function curlSample(operation: Operation, document: OpenApi, origin: string): string {
  const path = operation.path.replace(/\{[^}]+\}/g, '1');
  const lines = [
    `curl ${operation.method === 'GET' ? '' : `-X ${operation.method} `}${shellQuoted(origin + path)}`,
  ];
  if (!operation.isPublic) lines.push('-H "Authorization: Bearer $WAYPOST_KEY"');
  if (operation.body) {
    lines.push('-H "Content-Type: application/json"');
    lines.push(`-d ${shellQuoted(JSON.stringify(exampleOf(operation.body, document)))}`);
  }
  return lines.join(' \\\n  ');
}

/** A valid sample value: an object has its required fields, or the first one if none are required. */
function exampleOf(schema: Schema, document: OpenApi, name = '', depth = 0): unknown {
  const known = resolved(schema, document);
  if (known.const !== undefined) return known.const;
  if (known.default !== undefined) return known.default;
  if (known.enum) return known.enum[0];
  const choice = known.anyOf?.[0] ?? known.oneOf?.[0] ?? known.allOf?.[0];
  if (choice) return exampleOf(choice, document, name, depth);
  const type = Array.isArray(known.type) ? known.type[0] : known.type;
  switch (type) {
    case 'object': {
      const properties = Object.entries(known.properties ?? {});
      const wanted = new Set(known.required ?? []);
      const shown = wanted.size > 0 ? properties.filter(([key]) => wanted.has(key)) : properties.slice(0, 1);
      if (depth > 3) return {};
      return Object.fromEntries(
        shown.map(([key, value]) => [key, exampleOf(value, document, key, depth + 1)]),
      );
    }
    case 'array':
      return known.items && depth < 4 ? [exampleOf(known.items, document, name, depth + 1)] : [];
    case 'integer':
    case 'number':
      return Math.max(1, known.minimum ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return examples[name] ?? 'text';
  }
}

function shellQuoted(text: string): string {
  return /^[\w:/.@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
