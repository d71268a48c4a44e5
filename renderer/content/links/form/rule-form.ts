import {
  type Condition,
  type ConditionOperator,
  type ConditionType,
  type Rule,
  targetTypeOf,
} from '../../../../server/contract/rules.ts';

/** One condition as the form holds it: of the values only those that its type has a field for are looked at. */
export interface ConditionForm {
  type: ConditionType;
  op: ConditionOperator;
  /** Of what is chosen from a list: countries, devices, languages. */
  choices: string[];
  text: string;
  /** Timestamps as `YYYY-MM-DDTHH:MM`, or hours as `HH:MM`. */
  from: string;
  to: string;
  /** 1 is Monday. */
  days: number[];
  share: number;
  returning: boolean;
  /** What the form has no fields for: shown, kept and sent back as it is. */
  kept?: Condition;
}

export interface RuleForm {
  conditions: ConditionForm[];
  link: string;
}

/** How the value of a condition is asked for. */
export type ConditionKind = 'choice' | 'text' | 'date' | 'schedule' | 'share' | 'returning';

export const conditionKinds: Readonly<Record<ConditionType, ConditionKind>> = {
  continent: 'choice',
  country: 'choice',
  device: 'choice',
  language: 'choice',
  region: 'text',
  city: 'text',
  os: 'text',
  browser: 'text',
  query: 'text',
  referrer: 'text',
  ip: 'text',
  date: 'date',
  schedule: 'schedule',
  percentage: 'share',
  returning: 'returning',
};

/** The operators that are offered for a type; several values of one make `in` and `notin` of `is` and `isnot`. */
export function operatorsOf(type: ConditionType): readonly ConditionOperator[] {
  switch (conditionKinds[type]) {
    case 'choice':
      return ['is', 'isnot'];
    case 'text':
      return type === 'ip' ? ['is', 'isnot'] : ['is', 'isnot', 'contains', 'startswith'];
    case 'date':
      return ['after', 'before', 'between'];
    case 'schedule':
      return ['between'];
    default:
      return ['is'];
  }
}

/** Types of which a text may name several, with commas between them; in addresses and queries a comma is itself. */
const listed: readonly ConditionType[] = ['region', 'city', 'os', 'browser', 'ip'];

export function emptyCondition(type: ConditionType = 'country'): ConditionForm {
  return {
    type,
    op: operatorsOf(type)[0] ?? 'is',
    choices: [],
    text: '',
    from: '',
    to: '',
    days: [],
    share: 50,
    returning: true,
  };
}

export const emptyRule = (): RuleForm => ({ conditions: [emptyCondition()], link: '' });

/**
 * The rules that the form shows as such; targets have lists of their own.
 */
export function ruleFormsOf(rules: readonly Rule[]): RuleForm[] {
  return rules
    .filter((rule) => targetTypeOf(rule) === undefined)
    .map((rule) => ({ link: rule.link, conditions: rule.conditions.map(conditionForm) }));
}

function conditionForm(condition: Condition): ConditionForm {
  const form = emptyCondition(condition.type);
  return { ...form, ...(valuesOf(condition) ?? { op: condition.op, kept: condition }) };
}

/** Undefined for what there are no fields for. */
function valuesOf({ type, op, value }: Condition): Partial<ConditionForm> | undefined {
  const kind = conditionKinds[type];
  const single = op === 'in' ? 'is' : op === 'notin' ? 'isnot' : op;
  const isOffered = operatorsOf(type).includes(single);
  const texts = (Array.isArray(value) ? value : [value]).filter((entry) => typeof entry === 'string');
  const isText = texts.length > 0 && texts.length === (Array.isArray(value) ? value.length : 1);
  if (kind === 'choice' && isOffered && isText) return { op: single, choices: texts };
  if (kind === 'text' && isOffered && isText && (texts.length === 1 || listed.includes(type)))
    return { op: single, text: texts.join(', ') };
  if (kind === 'date' && isText) {
    const [from = '', to = ''] = texts.map((each) => each.replace(' ', 'T').slice(0, 16));
    return { op, from, to };
  }
  if (kind === 'share' && op === 'is' && typeof value === 'number') return { op, share: value };
  if (kind === 'returning' && typeof value === 'boolean')
    return { op: 'is', returning: (op === 'is') === value };
  if (kind === 'schedule' && typeof value === 'object' && !Array.isArray(value)) {
    // Another zone than the account's has no field, and must not be lost.
    return {
      op: 'between',
      days: value.days ?? [],
      from: value.from ?? '',
      to: value.to ?? '',
      text: value.timezone ?? '',
    };
  }
  return undefined;
}

/** Whether nothing was filled in: a rule that was just added says nothing and is left out when the form is saved. */
export function isBlankRule({ conditions, link }: RuleForm): boolean {
  return link.trim() === '' && conditions.every(isBlankCondition);
}

function isBlankCondition(condition: ConditionForm): boolean {
  const { choices, text, from, to, days, kept } = condition;
  if (kept) return false;
  const kind = conditionKinds[condition.type];
  if (kind === 'share' || kind === 'returning') return false;
  return choices.length === 0 && text.trim() === '' && from === '' && to === '' && days.length === 0;
}

/** The rule as it is sent. What is missing is sent as missing, so that the contract's own check names it. */
export function wireRule({ conditions, link }: RuleForm): Rule {
  const rule = { conditions: conditions.map(wireCondition), link: link.trim() };
  // In the shape of a target it would be one: replaced by the list of targets that is sent with it, and out of its
  // place.
  return targetTypeOf(rule) === undefined
    ? rule
    : { ...rule, conditions: rule.conditions.map(listCondition) };
}

/** The same condition, as a list of the one value. */
function listCondition(condition: Condition): Condition {
  return typeof condition.value === 'string'
    ? { ...condition, op: 'in', value: [condition.value] }
    : condition;
}

function wireCondition(condition: ConditionForm): Condition {
  const { type, op, kept } = condition;
  if (kept) return kept;
  const value = wireValue(condition);
  const several = Array.isArray(value) && type !== 'date';
  return { type, op: several ? (op === 'isnot' ? 'notin' : 'in') : op, value };
}

function wireValue(condition: ConditionForm): Condition['value'] {
  const { type, op, choices, text, from, to, days, share, returning } = condition;
  switch (conditionKinds[type]) {
    case 'choice':
      return choices.length > 1 ? choices : (choices[0] ?? '');
    case 'text': {
      const parts = listed.includes(type) && (op === 'is' || op === 'isnot') ? text.split(',') : [text];
      const texts = parts.map((part) => part.trim()).filter(Boolean);
      return texts.length > 1 ? texts : (texts[0] ?? '');
    }
    case 'date':
      return op === 'between' ? [timestamp(from), endOf(timestamp(to))] : timestamp(from);
    case 'schedule':
      return {
        ...(days.length > 0 && { days: [...days].sort() }),
        ...(from && { from }),
        ...(to && { to }),
        ...(text && { timezone: text }),
      };
    case 'share':
      return share;
    default:
      return returning;
  }
}

/** `2027-01-31T18:00` as the wire has timestamps, in the account's time zone; a day alone is one as it is. */
function timestamp(local: string): string {
  return local.includes('T') ? `${local.replace('T', ' ')}:00` : local;
}

/** The last minute of a day is all of it: a day whose end was chosen lasts to its last second. */
function endOf(at: string): string {
  return at.replace(/ 23:59:00$/, ' 23:59:59');
}
