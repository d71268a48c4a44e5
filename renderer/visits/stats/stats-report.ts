import { escaped } from './markup-text.ts';
import { exportedDimensions, type ShownStats } from './stats-export.ts';

/** Language and text direction of a report. */
interface ReportLook {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
}

/**
 * The displayed statistics as a self-contained HTML page, for offline viewing and printing. Its CSP blocks all requests
 * and scripts, whatever a referrer or title contains.
 */
export function statsReport(
  shown: ShownStats,
  chart: string | undefined,
  { language, direction }: ReportLook,
  number: (value: number) => string,
): string {
  const { labels, stats } = shown;
  const row = (name: string, clicks: number, unique: number) =>
    `<tr><th scope="row"><bdi>${escaped(name)}</bdi></th><td>${escaped(number(clicks))}</td><td>${escaped(number(unique))}</td></tr>`;
  const table = (title: string, rows: string[]) =>
    rows.length === 0
      ? ''
      : `<section><h2>${escaped(title)}</h2><table><thead><tr><th scope="col">${escaped(labels.value)}</th>` +
        `<th scope="col">${escaped(labels.clicks)}</th><th scope="col">${escaped(labels.unique)}</th></tr></thead>` +
        `<tbody>${rows.join('')}</tbody></table></section>`;
  const filters = shown.filters.map(
    ({ name, value }) => `<li>${escaped(name)}: <bdi>${escaped(value)}</bdi></li>`,
  );
  return `<!doctype html>
<html lang="${escaped(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escaped(shown.title)}</title>
<style>${style}</style>
</head>
<body>
<header><h1><bdi>${escaped(shown.title)}</bdi></h1><p>${escaped(shown.period)}</p>${filters.length > 0 ? `<ul>${filters.join('')}</ul>` : ''}</header>
<dl><div><dt>${escaped(labels.clicks)}</dt><dd>${escaped(number(stats.clicks))}</dd></div><div><dt>${escaped(labels.unique)}</dt><dd>${escaped(number(stats.uniqueclicks))}</dd></div></dl>
${chart === undefined ? '' : `<img alt="${escaped(labels.series)}" src="data:image/svg+xml;charset=utf-8,${encodeURIComponent(chart)}">`}
<main>
${exportedDimensions(stats)
  .map((dimension) =>
    table(
      shown.dimensionName(dimension),
      (stats.dimensions[dimension] ?? []).map(({ value, clicks, uniqueclicks }) =>
        row(shown.nameOf(dimension, value), clicks, uniqueclicks),
      ),
    ),
  )
  .join('\n')}
${table(
  labels.series,
  stats.series.map(({ at, clicks, uniqueclicks }) => row(shown.timeOf(at), clicks, uniqueclicks)),
)}
</main>
</body>
</html>
`;
}

const style = `
:root{color-scheme:light;font:15px/1.5 system-ui,sans-serif;color:#18181b;background:#fff}
body{max-width:64rem;margin:2rem auto;padding:0 1.5rem}
h1{font-size:1.5rem;margin:0;overflow-wrap:anywhere}h2{font-size:1rem;margin:0 0 .5rem}
header p{margin:.25rem 0;color:#52525b}header ul{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;padding:0;margin:.5rem 0}
header li{border:1px solid #d4d4d8;border-radius:.5rem;padding:.125rem .625rem;overflow-wrap:anywhere}
dl{display:flex;gap:3rem;margin:1.5rem 0}dt{color:#52525b}dd{margin:0;font-size:1.75rem;font-weight:600;font-variant-numeric:tabular-nums}
img{width:100%;height:auto}main{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:2rem;margin:2rem 0;align-items:start}
section{break-inside:avoid;min-width:0}table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem 0;border-bottom:1px solid #e4e4e7;text-align:start;font-weight:400;overflow-wrap:anywhere}td,thead th:not(:first-child){text-align:end;padding-inline-start:1rem;white-space:nowrap}
thead th{color:#52525b;font-size:.8125rem}
@media print{body{margin:0;max-width:none;padding:0}main{grid-template-columns:1fr 1fr}section:has(tr:nth-child(25)){break-inside:auto}}`;
