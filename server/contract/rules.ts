import { z } from 'zod';

/** Condition types of link rules (decision 0022). */
export const conditionTypes = [
  'continent',
  'country',
  'region',
  'city',
  'device',
  'os',
  'browser',
  'language',
  'date',
  'schedule',
  'query',
  'referrer',
  'ip',
  'percentage',
  'returning',
] as const;
export type ConditionType = (typeof conditionTypes)[number];

/** Condition types about the visitor's location. */
export const placeTypes: readonly ConditionType[] = ['continent', 'country', 'region', 'city'];

export const conditionOperators = [
  'is',
  'isnot',
  'in',
  'notin',
  'contains',
  'startswith',
  'before',
  'after',
  'between',
] as const;
export type ConditionOperator = (typeof conditionOperators)[number];

/** Values of the `device` condition and of `devicetarget` (decision 0022). */
export const deviceNames = [
  'iPhone',
  'iPad',
  'Android',
  'Windows',
  'macOS',
  'Linux',
  'ChromeOS',
  'Mobile',
  'Tablet',
  'Desktop',
] as const;
export type DeviceName = (typeof deviceNames)[number];

const text = z.string().min(1).max(512);

/**
 * A rule's condition. `value` by type: `continent` AF, AN, AS, EU, NA, OC, SA or English name · `country` ISO code or
 * English name · `date` with `before`/`after`: `YYYY-MM-DD HH:MM:SS`, UTC · `schedule` with `between`: `{days: [1..7,
 * Monday is 1], from: 'HH:MM', to: 'HH:MM', timezone}` · `query`: `name` or `name=value` · `ip`: address or CIDR range
 * · `percentage`: 1..100 · `returning`: true or false.
 */
export const condition = z.object({
  type: z.enum(conditionTypes),
  op: z.enum(conditionOperators).default('is'),
  value: z.union([
    text,
    z.number(),
    z.boolean(),
    z
      .array(z.union([text, z.number()]))
      .min(1)
      .max(100),
    z.object({
      days: z.array(z.number().int().min(1).max(7)).max(7).optional(),
      from: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
        .optional(),
      to: z
        .string()
        .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/)
        .optional(),
      timezone: z.string().max(64).optional(),
    }),
  ]),
});
export type Condition = z.output<typeof condition>;

/** Conditions are combined with AND; the first matching rule of a link wins. */
export const rule = z.object({
  conditions: z.array(condition).min(1, 'Add at least one condition.').max(20),
  link: z.string().min(1).max(8192),
});
export type Rule = z.output<typeof rule>;

/** Condition types of the contract's three target lists. */
export type TargetType = Extract<ConditionType, 'country' | 'device' | 'language'>;

/**
 * The target list that a rule belongs to; undefined for a rule that none can express. It must have a single "is"
 * condition with one value (decision 0022), and a language must have two letters, so a rule for pt-br stays a rule.
 */
export function targetTypeOf({ conditions }: Rule): TargetType | undefined {
  const [only, ...others] = conditions;
  if (!only || others.length > 0 || only.op !== 'is' || typeof only.value !== 'string') return undefined;
  const { type, value } = only;
  if (type === 'language') return value.length === 2 ? type : undefined;
  return type === 'country' || type === 'device' ? type : undefined;
}
