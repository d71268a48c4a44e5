import { type PixelRequests, type PixelType, pixelTag } from '../../../contract/pixels.ts';
import { html, type Markup } from '../../../platform/text/markup.ts';
import type { PixelContent } from '../page-queries.ts';

/** The content that a page loads for its pixels, and the policy directives it needs. */
export interface PixelParts {
  markup: Markup;
  images: string[];
  scripts: string[];
  connections: string[];
}

/** A pixel as pictures, which work without scripts, or as the service's script with the code that starts it. */
interface Recipe {
  pictures?: string[];
  script?: string;
  code?: string;
  /** Hosts that its images and scripts contact. */
  hosts: string[];
}

/**
 * The parts of a page that load its pixels. A tag contains only the characters of `pixelTag`, which is checked
 * again here, as rows may come from a restored backup.
 */
export function pixelParts(pixels: readonly PixelContent[], nonce: string): PixelParts {
  const recipes = pixels
    .filter(({ type, tag }) => Object.hasOwn(recipeOf, type) && pixelTag.test(tag))
    .map(({ type, tag }) => recipeOf[type](tag));
  const withScripts = recipes.some(({ script }) => script !== undefined);
  const hosts = recipes.flatMap((recipe) => recipe.hosts);
  return {
    markup: html`${recipes.map((recipe) => partOf(recipe, nonce))}`,
    images: hosts,
    // The services' own scripts decide what they load; nothing else may run.
    scripts: withScripts ? [`'nonce-${nonce}'`, "'strict-dynamic'"] : [],
    connections: withScripts ? hosts : [],
  };
}

/**
 * What a page loads for one pixel, to show its owner. The URLs are those of `pixelParts`.
 */
export function pixelRequests({ type, tag }: PixelContent): PixelRequests {
  const { pictures = [], script = null, hosts } = recipeOf[type](tag);
  return { pictures, script, hosts };
}

function partOf({ pictures = [], script, code = '' }: Recipe, nonce: string): Markup {
  const images = pictures.map(
    (address) => html`<img class="pixel" src="${address}" alt="" width="1" height="1">`,
  );
  const codeMarkup: Markup = { markup: code };
  const scripts =
    script !== undefined &&
    html`<script nonce="${nonce}">${codeMarkup}</script><script nonce="${nonce}" async src="${script}"></script>`;
  return html`${images}${scripts}`;
}

const google = [
  'https://www.googletagmanager.com',
  'https://*.google-analytics.com',
  'https://*.analytics.google.com',
  'https://*.doubleclick.net',
  'https://www.googleadservices.com',
  'https://www.google.com',
];

function googleTag(tag: string): Recipe {
  const isContainer = tag.startsWith('GTM-');
  return {
    script: `https://www.googletagmanager.com/${isContainer ? 'gtm.js' : 'gtag/js'}?id=${tag}`,
    code: isContainer
      ? `window.dataLayer=[{'gtm.start':Date.now(),event:'gtm.js'}]`
      : `window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag('js',new Date());gtag('config','${tag}')`,
    hosts: isContainer ? ['https:'] : google,
  };
}

/** How each service counts a visit, with the URLs of its own snippet. */
const recipeOf: Record<PixelType, (tag: string) => Recipe> = {
  gtmpixel: googleTag,
  gapixel: googleTag,
  fbpixel: (tag) => ({
    pictures: [`https://www.facebook.com/tr?id=${tag}&ev=PageView&noscript=1`],
    hosts: ['https://www.facebook.com'],
  }),
  adwordspixel(tag) {
    const [account = '', label] = tag.replace(/^AW-/, '').split('/');
    const path = label === undefined ? 'viewthroughconversion' : 'conversion';
    const query = `${label === undefined ? '' : `label=${label}&`}guid=ON&script=0`;
    return {
      pictures: [`https://www.googleadservices.com/pagead/${path}/${account}/?${query}`],
      hosts: google,
    };
  },
  linkedinpixel: (tag) => ({
    pictures: [`https://px.ads.linkedin.com/collect/?pid=${tag}&fmt=gif`],
    hosts: ['https://px.ads.linkedin.com', 'https://www.linkedin.com'],
  }),
  twitterpixel: (tag) => ({
    pictures: [
      `https://analytics.twitter.com/i/adsct?txn_id=${tag}&p_id=Twitter`,
      `https://t.co/i/adsct?txn_id=${tag}&p_id=Twitter`,
    ],
    hosts: ['https://analytics.twitter.com', 'https://t.co'],
  }),
  adrollpixel(tag) {
    const [advertiser = '', pixel = ''] = tag.split('/');
    return {
      script: `https://s.adroll.com/j/${advertiser}/roundtrip.js`,
      code: `adroll_adv_id='${advertiser}';adroll_pix_id='${pixel}';adroll_version='2.0'`,
      hosts: ['https://*.adroll.com'],
    };
  },
  quorapixel: (tag) => ({
    pictures: [`https://q.quora.com/_/ad/${tag}/pixel?tag=ViewContent&noscript=1`],
    hosts: ['https://q.quora.com'],
  }),
  pinterest: (tag) => ({
    pictures: [`https://ct.pinterest.com/v3/?event=init&tid=${tag}&noscript=1`],
    hosts: ['https://ct.pinterest.com'],
  }),
  bing: (tag) => ({
    pictures: [`https://bat.bing.com/action/0?ti=${tag}&Ver=2`],
    hosts: ['https://bat.bing.com'],
  }),
  snapchat: (tag) => ({
    script: 'https://sc-static.net/scevent.min.js',
    code: `window.snaptr=function(){snaptr.handleRequest?snaptr.handleRequest.apply(snaptr,arguments):snaptr.queue.push(arguments)};snaptr.queue=[];snaptr('init','${tag}');snaptr('track','PAGE_VIEW')`,
    hosts: ['https://tr.snapchat.com', 'https://sc-static.net'],
  }),
  reddit: (tag) => ({
    pictures: [`https://alb.reddit.com/rp.gif?event=PageVisit&id=${tag}&integration=reddit`],
    hosts: ['https://alb.reddit.com'],
  }),
  tiktok: (tag) => ({
    script: `https://analytics.tiktok.com/i18n/pixel/events.js?sdkid=${tag}&lib=ttq`,
    code: `window.TiktokAnalyticsObject='ttq';window.ttq=[];ttq.methods=['page','track'];ttq.page=function(){ttq.push(['page'])};ttq._i={'${tag}':[]};ttq._t={'${tag}':Date.now()};ttq._o={'${tag}':{}};ttq.page()`,
    hosts: ['https://analytics.tiktok.com'],
  }),
};
