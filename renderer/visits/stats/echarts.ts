/** The parts of ECharts that the charts here use; loaded as a chunk of its own when the first chart shows. */
import { LineChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

use([LineChart, GridComponent, TooltipComponent, SVGRenderer]);

/** Draws into `element` as SVG, which stays sharp at every zoom. */
export function createChart(element: HTMLElement) {
  return init(element, undefined, { renderer: 'svg' });
}
