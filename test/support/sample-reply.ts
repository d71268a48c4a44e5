import type { z } from 'zod';

/** Texts that fields ask for in some form or other; the first one that a schema accepts is taken. */
const texts = [
  'https://example.com/x',
  'Something',
  '2026-11-01 10:00:00',
  '2026-11-01',
  '#336699',
  'en',
  'UTC',
  '1',
];
/** What only the apps of a domain are called; tried last, because other fields take them as well. */
const ofApps = [
  'ABCDE12345.com.example.app',
  '/*',
  'com.example.app',
  Array.from({ length: 32 }, () => 'AB').join(':'),
];
const isAddress = (name: string) => /url|link|domain|list|rotator|site/.test(name);
const isTimestamp = (name: string) =>
  /date|created|updated|expir|joined|seen|checked|lapses|from|to/.test(name);

/**
 * A value that a schema of the contract accepts, with every optional field and one entry in each list. `known` says
 * what fields of these names are, wherever they stand.
 */
export function sampleOf(
  schema: z.ZodType,
  known: Readonly<Record<string, unknown>> = {},
  name = '',
): unknown {
  // biome-ignore lint/suspicious/noExplicitAny: the definition of each kind of schema has fields of its own.
  const def = (schema as any)._zod.def;
  const inner = (part: z.ZodType, field = name) => sampleOf(part, known, field);
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape as Record<string, z.ZodType>).map(([key, part]) => [
          key,
          key in known ? known[key] : inner(part, key),
        ]),
      );
    case 'array':
      return [inner(def.element)];
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return inner(def.innerType);
    case 'union':
      return inner(def.options[0]);
    case 'intersection':
      return { ...(inner(def.left) as object), ...(inner(def.right) as object) };
    case 'pipe':
      return inner(def.out.def?.type === 'transform' ? def.in : def.out);
    case 'lazy':
      return inner(def.getter());
    case 'enum':
      return Object.values(def.entries)[0];
    case 'literal':
      return def.values[0];
    case 'boolean':
      return false;
    case 'number':
    case 'int':
      return name === 'id' ? 20 : 1;
    case 'string': {
      const [address, word, timestamp, ...others] = texts;
      const first = isAddress(name) ? address : isTimestamp(name) ? timestamp : word;
      const ordered = [first, word, timestamp, ...others, address, ...ofApps].filter(
        (text) => text !== undefined,
      );
      return ordered.find((text) => schema.safeParse(text).success) ?? 'Something';
    }
    case 'record': {
      const keys =
        def.keyType._zod.def.type === 'enum' ? Object.values<string>(def.keyType._zod.def.entries) : [];
      return Object.fromEntries(keys.map((key) => [key, inner(def.valueType, key)]));
    }
    case 'tuple':
      return def.items.map((item: z.ZodType) => inner(item));
    default:
      return null;
  }
}
