import { useI18n } from 'vue-i18n';
import { type ParameterDimension, parameterDimensions } from '../../../server/contract/dimensions.ts';
import type { Stats, StatsDimension } from '../../../server/contract/stats.ts';

/**
 * Returns `label(dimension, form)`: the label of a dimension as heading or filter name; custom parameters have their
 * own names.
 */
export function useDimensionLabel(stats: () => Stats | undefined) {
  const { t } = useI18n();
  return (dimension: StatsDimension, form: 'dimensions' | 'filters.names'): string => {
    if (!isParameter(dimension)) return t(`stats.${form}.${dimension}`);
    return stats()?.parameters?.find((own) => own.dimension === dimension)?.name ?? dimension;
  };
}

/** Whether a dimension is one of the account's custom query parameters. */
export function isParameter(dimension: StatsDimension): dimension is ParameterDimension {
  return (parameterDimensions as readonly string[]).includes(dimension);
}
