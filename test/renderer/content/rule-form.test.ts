import { describe, expect, test } from 'vitest';
import { checkForm } from '../../../renderer/content/links/form/check-form.ts';
import { bodyOf, emptyForm, withoutBlankRows } from '../../../renderer/content/links/form/link-form-state.ts';
import {
  emptyCondition,
  emptyRule,
  isBlankRule,
  ruleFormsOf,
  wireRule,
} from '../../../renderer/content/links/form/rule-form.ts';
import { conditionTypes, type Rule, targetTypeOf } from '../../../server/contract/rules.ts';

const link = 'https://example.com/there';
const words = { required: 'required', address: 'address', percentage: 'percentage' };

describe('rules in the link form', () => {
  const rules: Rule[] = [
    {
      link,
      conditions: [
        { type: 'country', op: 'in', value: ['DE', 'AT'] },
        { type: 'browser', op: 'isnot', value: 'Safari' },
      ],
    },
    { link, conditions: [{ type: 'ip', op: 'notin', value: ['192.0.2.0/24', '198.51.100.7'] }] },
    { link, conditions: [{ type: 'query', op: 'is', value: 'ref=a,b' }] },
    { link, conditions: [{ type: 'date', op: 'after', value: '2027-01-31 18:00:00' }] },
    {
      link,
      conditions: [{ type: 'date', op: 'between', value: ['2027-01-31 18:00:00', '2027-02-01 06:00:00'] }],
    },
    {
      link,
      conditions: [
        {
          type: 'schedule',
          op: 'between',
          value: { days: [1, 5], from: '09:00', to: '17:00', timezone: 'Asia/Kolkata' },
        },
      ],
    },
    {
      link,
      conditions: [
        { type: 'percentage', op: 'is', value: 25 },
        { type: 'returning', op: 'is', value: false },
      ],
    },
    { link, conditions: [{ type: 'language', op: 'startswith', value: 'pt' }] },
    { link, conditions: [{ type: 'device', op: 'isnot', value: 'iPhone' }] },
  ];

  test('are unchanged after opening and saving', () => {
    expect(ruleFormsOf(rules).map(wireRule)).toEqual(rules);
  });

  test('do not include the targets, which have their own lists', () => {
    const target: Rule = { link, conditions: [{ type: 'country', op: 'is', value: 'DE' }] };
    const other: Rule = { link, conditions: [{ type: 'os', op: 'is', value: 'iOS' }] };
    expect(ruleFormsOf([target, other]).map(wireRule)).toEqual([other]);
  });

  test('keep conditions that the form has no fields for', () => {
    const odd: Rule = { link, conditions: [{ type: 'percentage', op: 'between', value: 40 }] };
    const [form] = ruleFormsOf([odd]);
    expect(form?.conditions[0]?.kept).toEqual(odd.conditions[0]);
    expect(form && wireRule(form)).toEqual(odd);
  });

  test('split values at commas', () => {
    const wire = (type: 'os' | 'referrer', text: string) =>
      wireRule({ link, conditions: [{ ...emptyCondition(type), text }] }).conditions[0];
    expect(wire('os', 'iOS, Android')).toEqual({ type: 'os', op: 'in', value: ['iOS', 'Android'] });
    expect(wire('os', ' iOS ')).toEqual({ type: 'os', op: 'is', value: 'iOS' });
    expect(wire('referrer', 'a.example/x,y')).toEqual({ type: 'referrer', op: 'is', value: 'a.example/x,y' });
  });

  test('are sent together with the targets if either changed, and not otherwise', () => {
    const before = { ...emptyForm(), url: 'https://example.com', geotarget: [{ location: 'DE', link }] };
    expect(bodyOf(before, before)).toEqual({});
    const rule = { link, conditions: [{ ...emptyCondition('os'), text: 'iOS' }] };
    expect(bodyOf({ ...before, rules: [rule] }, before)).toEqual({
      rules: [{ link, conditions: [{ type: 'os', op: 'is', value: 'iOS' }] }],
      geotarget: [{ location: 'DE', link }],
      devicetarget: [],
      languagetarget: [],
    });
  });

  test('keep days without a time, and the end of a day', () => {
    const dates: Rule[] = [
      { link, conditions: [{ type: 'date', op: 'after', value: '2027-01-31' }] },
      { link, conditions: [{ type: 'date', op: 'between', value: ['2027-01-31', '2027-02-01'] }] },
      {
        link,
        conditions: [{ type: 'date', op: 'between', value: ['2027-01-31 00:00:00', '2027-02-01 23:59:59'] }],
      },
    ];
    expect(ruleFormsOf(dates).map(wireRule)).toEqual(dates);
  });

  test.each([
    ['country', 'DE'],
    ['device', 'iPhone'],
    ['language', 'pt'],
  ] as const)('on one %s stay rules in their position, and do not become targets', (type, value) => {
    const before = { ...emptyForm(), url: 'https://example.com' };
    const rule = { link, conditions: [{ ...emptyCondition(type), choices: [value] }] };
    const sent = bodyOf({ ...before, rules: [rule] }, before).rules ?? [];
    expect(sent.map(targetTypeOf)).toEqual([undefined]);
    expect(ruleFormsOf(sent)).toEqual([rule]);
  });

  test('show language tags longer than two letters, which are not targets', () => {
    const language = (value: string): Rule => ({ link, conditions: [{ type: 'language', op: 'is', value }] });
    const forms = ruleFormsOf([language('pt'), language('pt-br')]);
    expect(forms.map((form) => form.conditions[0]?.choices)).toEqual([['pt-br']]);
  });

  test('added and left empty are not an error, and are not sent', () => {
    const form = { ...emptyForm(), url: 'https://example.com', rules: [emptyRule()] };
    expect(checkForm(form, words)).toEqual([]);
    expect(withoutBlankRows(form).rules).toEqual([]);
    for (const type of conditionTypes) {
      const isPlain = type !== 'percentage' && type !== 'returning';
      expect(isBlankRule({ link: '', conditions: [emptyCondition(type)] })).toBe(isPlain);
    }
  });

  test('report missing values at the field', () => {
    const rule = { link: 'nowhere', conditions: [emptyCondition('os')] };
    const problems = checkForm({ ...emptyForm(), url: 'https://example.com', rules: [rule] }, words);
    expect(problems.map(({ name }) => name).sort()).toEqual(['rules.0.conditions.0.value', 'rules.0.link']);
  });
});
