import { useI18n } from 'vue-i18n';
import { continentName } from '../../../server/contract/continents.ts';
import type { StatsDimension } from '../../../server/contract/stats.ts';
import { useFormat } from '../../ui/use-format.ts';
import { countryName, languageName } from './country-codes.ts';
import { isParameter } from './use-dimension-label.ts';

/** Returns `name(dimension, value)`: the localized name of a value. */
export function useDimensionName(): (dimension: StatsDimension, value: string) => string {
  const { t, te } = useI18n();
  const format = useFormat();
  return (dimension, value) => {
    if (value === '') {
      if (dimension === 'referrer') return t('stats.values.direct');
      if (dimension === 'edge') return t('stats.values.thisServer');
      const isMark = dimension.startsWith('utm_') || isParameter(dimension);
      return t(isMark ? 'stats.values.notSet' : 'stats.values.unknown');
    }
    if (dimension === 'continent') return continentName(value, format.region.value);
    if (dimension === 'country') return countryName(value, format.region.value);
    if (dimension === 'language') return languageName(value, format.region.value);
    if (dimension === 'source')
      return te(`stats.values.sources.${value}`) ? t(`stats.values.sources.${value}`) : value;
    return value;
  };
}
