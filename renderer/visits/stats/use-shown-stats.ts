import { useI18n } from 'vue-i18n';
import type { Stats } from '../../../server/contract/stats.ts';
import { useFormat } from '../../ui/use-format.ts';
import { intervalFormat, rangeText } from './series.ts';
import type { ShownStats } from './stats-export.ts';
import { useStatsView } from './stats-view.ts';
import { useDimensionLabel } from './use-dimension-label.ts';
import { useDimensionName } from './use-dimension-name.ts';

/** Returns `shown(title, stats)`: statistics with the page's labels, for exports. */
export function useShownStats(known: () => Stats | undefined): (title: string, stats: Stats) => ShownStats {
  const { t } = useI18n();
  const format = useFormat();
  const nameOf = useDimensionName();
  const labelOf = useDimensionLabel(known);
  const view = useStatsView();
  return (title, stats) => ({
    title,
    period: rangeText(stats.from, stats.to, format.region.value),
    filters: (view?.filters.value ?? []).map(({ dimension, value }) => ({
      name: labelOf(dimension, 'filters.names'),
      value: nameOf(dimension, value),
    })),
    labels: {
      section: t('stats.figures.section'),
      value: t('stats.figures.value'),
      period: t('stats.period.label'),
      filter: t('stats.figures.filter'),
      total: t('stats.figures.total'),
      series: t('stats.series.title'),
      clicks: t('stats.metrics.clicks'),
      unique: t('stats.metrics.unique'),
    },
    stats,
    nameOf,
    dimensionName: (dimension) =>
      dimension.startsWith('utm_') ? dimension : labelOf(dimension, 'dimensions'),
    timeOf: intervalFormat(stats.interval, format.region.value, 'long'),
  });
}
