/** The used parts of ECharts, as a separate chunk loaded with the first chart. */
import { LineChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

use([LineChart, GridComponent, TooltipComponent, SVGRenderer]);

/** Creates a chart in `element`, rendered as SVG to be sharp at any zoom level. */
export function createChart(element: HTMLElement) {
  return init(element, undefined, { renderer: 'svg' });
}
