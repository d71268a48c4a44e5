import { createHash } from 'node:crypto';
import type { Omitted } from '../../contract/privacy.ts';
import { html, type Markup } from '../../platform/text/markup.ts';
import type { Brand } from '../../visits/redirects/pages/brand.ts';
import { contentPolicy, page } from '../../visits/redirects/pages/layout.ts';
import type { PageTexts } from '../../visits/redirects/pages/page-texts.ts';
import type { Page } from '../../visits/redirects/pages/pages.ts';
import { textsFor } from '../../visits/redirects/pages/texts.ts';
import {
  type PublicDimension,
  type PublicMetrics,
  type PublicPeriod,
  publicDimensions,
  publicPeriods,
} from './metrics.ts';

/** The texts of all pages, in the words of statistics where they differ from a link's. */
export type StatsTexts = PageTexts & PageTexts['statistics'];

/** The texts in the first of the visitor's languages that there is, under the brand of the domain. */
export function statsTextsFor(languages: readonly string[], brand?: Brand): StatsTexts {
  const texts = textsFor(languages, brand);
  return { ...texts, ...texts.statistics };
}

/** A page's title and description. */
interface StatsSubject {
  /** Title of a link, or name of a campaign. */
  title: string | null;
  /** Of a link. */
  shortUrl: string | null;
  showsReferrers: boolean;
  notKept: readonly Omitted[];
}

// More specific than the style that all pages have.
const style = `
main:has(.figures){max-width:46rem;align-self:start}
.figures nav{display:flex;flex-wrap:wrap;gap:4px 16px;margin:16px 0 20px}
.figures nav a{padding:6px 0;color:var(--soft);text-decoration:none;border-bottom:2px solid transparent}
.figures nav a[aria-current]{color:var(--text);border-color:var(--accent);font-weight:600}
.figures dl.totals{display:flex;flex-wrap:wrap;gap:8px 40px;margin:0 0 16px}
.figures dl.totals div{min-width:8rem}
.figures dl.totals dt{margin:0;color:var(--soft);font-weight:400}
.figures dl.totals dd{font-size:1.75rem;font-weight:650;font-variant-numeric:tabular-nums}
.figures svg{width:100%;height:150px;margin:0;border-bottom:1px solid var(--line)}
.figures .ends{display:flex;justify-content:space-between;margin:4px 0 12px;font-size:.8125rem}
.figures details{margin-bottom:8px}
.figures summary{padding:6px 0;color:var(--accent);cursor:pointer}
.figures table{width:100%;border-collapse:collapse;font-size:.9375rem}
.figures caption,.figures th{text-align:start;font-weight:600}
.figures caption{padding-bottom:6px;color:var(--text)}
.figures th[scope=row]{font-weight:400;overflow-wrap:anywhere}
.figures td,.figures th{padding:5px 0;border-top:1px solid var(--line);vertical-align:top}
.figures td,.figures th+th{padding-inline-start:16px;text-align:end;font-variant-numeric:tabular-nums}
@media (pointer:coarse){.figures :is(nav a,summary){padding:10px 0}}
.figures .lists{display:grid;align-items:start;grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr));gap:24px 40px;margin:20px 0}
`;
const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
const head: Markup = { markup: `<style>${style}</style>` };
const policy = contentPolicy({ style: styleHash });

/** The privacy settings that remove a dimension from a page. */
const takenOffBy: Readonly<Record<PublicDimension, Omitted>> = {
  country: 'place',
  referrer: 'referrer',
  device: 'browser',
  browser: 'browser',
  os: 'browser',
  language: 'browser',
};

/** The public statistics of a link or campaign: metrics only, without scripts, destinations or anyone's name. */
export function statsPageOf(
  texts: StatsTexts,
  subject: StatsSubject,
  period: PublicPeriod,
  metrics: PublicMetrics,
): Page {
  const { statistics } = texts;
  const number = (value: number) => value.toLocaleString(texts.language);
  const { shortUrl } = subject;
  // Who does not count their own visits keeps nothing less of others.
  const notKept: readonly Omitted[] = subject.notKept.filter((name) => name !== 'signedin');
  const knowsVisitors = !notKept.includes('visitors');
  const lists = publicDimensions.filter(
    (name) =>
      knowsVisitors &&
      !notKept.includes(takenOffBy[name]) &&
      (name !== 'referrer' || subject.showsReferrers) &&
      metrics.dimensions[name].length > 0,
  );
  const short = shortUrl?.replace(/^https?:\/\//, '') ?? null;
  const body = html`<div class="figures">
${subject.title !== null && short !== null && html`<p><bdi dir="ltr">${short}</bdi></p>`}
<p>${statistics.about}</p>
<nav aria-label="${statistics.period}">${publicPeriods.map((each) => periodLink(each, each === period, statistics))}</nav>
<dl class="totals"><div><dt>${statistics.clicks}</dt><dd>${number(metrics.total.clicks)}</dd></div>${
    knowsVisitors &&
    html`<div><dt>${statistics.visitors}</dt><dd>${number(metrics.total.uniqueClicks)}</dd></div>`
  }</dl>
${course(texts, metrics, number)}
<div class="lists">${lists.map((name) => list(texts, name, metrics.dimensions[name], number))}</div>
<p>${statistics.times}</p>
${notKept.length > 0 && html`<p>${notKept.includes('clicks') ? statistics.stopped : statistics.notKept}</p>`}
</div>`;
  return { status: 200, policy, body: page(texts, subject.title ?? short ?? '', body, head) };
}

function periodLink(period: PublicPeriod, isShown: boolean, { periods }: PageTexts['statistics']): Markup {
  const current = isShown && html` aria-current="page"`;
  return html`<a href="?period=${period}" rel="nofollow"${current}>${periods[period]}</a>`;
}

/** The clicks over time as a chart, and as a table for people who cannot see it. */
function course(
  texts: StatsTexts,
  { series, interval }: PublicMetrics,
  number: (value: number) => string,
): Markup {
  const { statistics } = texts;
  const most = Math.max(...series.map(({ clicks }) => clicks), 0);
  if (most === 0) return html`<p>${statistics.none}</p>`;
  const at = new Intl.DateTimeFormat(texts.language, {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'short',
    ...(interval !== 'month' && { day: 'numeric' }),
  });
  const bars = series.map(({ at: from, clicks }, index) => {
    const height = (clicks / most) * 100;
    return html`<rect x="${index * 10 + 1}" y="${(100 - height).toFixed(2)}" width="8" height="${height.toFixed(2)}"><title>${at.format(from)}: ${number(clicks)}</title></rect>`;
  });
  const [first, last] = [series[0], series.at(-1)].map((each) => (each ? at.format(each.at) : ''));
  const rows = series.map(
    ({ at: from, clicks }) =>
      html`<tr><th scope="row">${at.format(from)}</th><td>${number(clicks)}</td></tr>`,
  );
  return html`<svg role="img" aria-label="${statistics.course}" viewBox="0 0 ${series.length * 10} 100" preserveAspectRatio="none" fill="currentColor">${bars}</svg>
<p class="ends" dir="ltr"><bdi>${first}</bdi><bdi>${last}</bdi></p>
<details><summary>${statistics.table}</summary><table><thead><tr><th scope="col">${statistics.time}</th><th scope="col">${statistics.clicks}</th></tr></thead><tbody>${rows}</tbody></table></details>`;
}

function list(
  texts: StatsTexts,
  name: PublicDimension,
  rows: PublicMetrics['dimensions'][PublicDimension],
  number: (value: number) => string,
): Markup {
  const { statistics } = texts;
  const entries = rows.map(
    ({ value, clicks }) =>
      html`<tr><th scope="row"><bdi>${wordFor(texts, name, value)}</bdi></th><td>${number(clicks)}</td></tr>`,
  );
  return html`<table><caption>${statistics.lists[name]}</caption><tbody>${entries}</tbody></table>`;
}

/** A value in the visitor's language. */
function wordFor({ language, statistics }: StatsTexts, name: PublicDimension, value: string): string {
  if (value === '') return name === 'referrer' ? statistics.direct : statistics.unknown;
  if (name === 'country' && /^[A-Z]{2}$/.test(value)) return namesOf(language, 'region').of(value) ?? value;
  if (name === 'language' && /^[a-z]{2,3}$/.test(value))
    return namesOf(language, 'language').of(value) ?? value;
  return value;
}

const known = new Map<string, Intl.DisplayNames>();

/** Names of countries or languages in a page's language. */
function namesOf(language: string, type: 'region' | 'language'): Intl.DisplayNames {
  const key = `${type} ${language}`;
  const names = known.get(key) ?? new Intl.DisplayNames(language, { type });
  known.set(key, names);
  return names;
}
