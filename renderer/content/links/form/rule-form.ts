import {
  type Condition,
  type ConditionOperator,
  type ConditionType,
  type Rule,
  targetTypeOf,
} from '../../../../server/contract/rules.ts';

/** Form state of a condition; only the values relevant to its type are used. */
export interface ConditionForm {
  type: ConditionType;
  op: ConditionOperator;
  /** Selected values: countries, devices, languages. */
  choices: string[];
  text: string;
  /** Timestamps as `YYYY-MM-DDTHH:MM`, or times of day as `HH:MM`. */
  from: string;
  to: string;
  /** 1 is Monday. */
  days: number[];
  share: number;
  returning: boolean;
  /** A condition that the form cannot edit: shown, and sent back unchanged. */
  kept?: Condition;
}

export interface RuleForm {
  conditions: ConditionForm[];
  link: string;
}

/** The input used for a condition's value. */
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

/** The operators offered for a type. With several values, `is` and `isnot` are sent as `in` and `notin`. */
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

/** Types whose text may list several values separated by commas; in URLs and queries, a comma is literal. */
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

/** The form state of the rules, without the targets, which have lists of their own. */
export function ruleFormsOf(rules: readonly Rule[]): RuleForm[] {
  return rules
    .filter((rule) => targetTypeOf(rule) === undefined)
    .map((rule) => ({ link: rule.link, conditions: rule.conditions.map(conditionForm) }));
}

function conditionForm(condition: Condition): ConditionForm {
  const form = emptyCondition(condition.type);
  return { ...form, ...(valuesOf(condition) ?? { op: condition.op, kept: condition }) };
}

/** Undefined for conditions that the form cannot edit. */
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
    // A time zone other than the account's has no input, but must be preserved.
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

/** Whether a rule is empty: a rule just added is left out on saving. */
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

/** The rule in API format. Missing values are sent as missing, so that the contract's validation names them. */
export function wireRule({ conditions, link }: RuleForm): Rule {
  const rule = { conditions: conditions.map(wireCondition), link: link.trim() };
  // In the shape of a target, the server would treat it as one: it would lose its position, and the target list sent
  // along would replace it.
  return targetTypeOf(rule) === undefined
    ? rule
    : { ...rule, conditions: rule.conditions.map(listCondition) };
}

/** The same condition, with its value as a list of one. */
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

/** Converts `2027-01-31T18:00` to a wire timestamp in the account's time zone; a plain date is valid as it is. */
function timestamp(local: string): string {
  return local.includes('T') ? `${local.replace('T', ' ')}:00` : local;
}

/** Extends an end at 23:59 to the last second of the day. */
function endOf(at: string): string {
  return at.replace(/ 23:59:00$/, ' 23:59:59');
}
