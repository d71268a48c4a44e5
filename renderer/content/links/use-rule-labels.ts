import { useI18n } from 'vue-i18n';
import { continentName } from '../../../server/contract/continents.ts';
import type { Condition, Rule } from '../../../server/contract/rules.ts';
import { useFormat } from '../../ui/use-format.ts';
import { countryName, languageName } from '../../visits/stats/country-codes.ts';

/** Describes rule conditions and their values with the labels of the rule form. */
export function useRuleLabels() {
  const { t } = useI18n();
  const format = useFormat();

  return {
    /** One text per condition of a rule, all of which must match. */
    ofRule: ({ conditions }: Rule): string[] => conditions.map(ofCondition),
    ofCondition,
    ofValue: (type: Condition['type'], value: string): string => named(type, value, format.region.value),
    weekday: (day: number): string => weekday(day, format.region.value),
  };

  function ofCondition({ type, op, value }: Condition): string {
    if (type === 'returning' && typeof value === 'boolean')
      return t((op === 'is') === value ? 'links.form.rules.wasHere' : 'links.form.rules.isNew');
    const texts = textsOf(type, value);
    // A list of one value is shown as a single value.
    const single = op === 'in' ? 'is' : op === 'notin' ? 'isnot' : op;
    return t('links.page.condition', {
      type: t(`links.form.rules.types.${type}`),
      operator: t(`links.form.rules.operators.${texts.length === 1 ? single : op}`),
      value: format.list(texts, op === 'between' ? 'conjunction' : 'disjunction'),
    });
  }

  function textsOf(type: Condition['type'], value: Condition['value']): string[] {
    const region = format.region.value;
    if (typeof value === 'number')
      return [type === 'percentage' ? format.percent(value / 100) : format.number(value)];
    if (typeof value === 'boolean') return [String(value)];
    if (typeof value === 'object' && !Array.isArray(value)) {
      const days = (value.days ?? []).map((day) => weekday(day, region));
      const hours = value.from || value.to ? [`${value.from ?? '00:00'}–${value.to ?? '24:00'}`] : [];
      return [[format.list(days), ...hours].filter(Boolean).join(' ')];
    }
    return (Array.isArray(value) ? value : [value]).map((each) => named(type, String(each), region));
  }

  function named(type: Condition['type'], text: string, region: string): string {
    if (type === 'continent') return continentName(text, region);
    if (type === 'country') return countryName(text, region);
    if (type === 'language') return languageName(text, region);
    return type === 'date' ? format.timestamp(text) : text;
  }
}

/** 1 is Monday; January 1, 2024 was a Monday. */
function weekday(day: number, region: string): string {
  return new Intl.DateTimeFormat(region, { weekday: 'short', timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, day),
  );
}
