import { useI18n } from 'vue-i18n';
import type { StatsDimension } from '../../../server/contract/stats.ts';
import { useFormat } from '../../ui/use-format.ts';
import { countryName, languageName } from './country-codes.ts';

/** Returns `name(dimension, value)`: what a counted value is called in the person's language. */
export function useDimensionName(): (dimension: StatsDimension, value: string) => string {
  const { t, te } = useI18n();
  const format = useFormat();
  return (dimension, value) => {
    if (value === '') {
      if (dimension === 'referrer') return t('stats.values.direct');
      return t(dimension.startsWith('utm_') ? 'stats.values.notSet' : 'stats.values.unknown');
    }
    if (dimension === 'country') return countryName(value, format.region.value);
    if (dimension === 'language') return languageName(value, format.region.value);
    if (dimension === 'source')
      return te(`stats.values.sources.${value}`) ? t(`stats.values.sources.${value}`) : value;
    return value;
  };
}
