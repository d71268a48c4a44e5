import Bowser from 'bowser';
import { isbot } from 'isbot';
import type { DeviceName } from '../../contract/rules.ts';

/** A parsed user agent. Fields are '' if it does not contain them. */
export interface UserAgent {
  bot: boolean;
  /** A service that fetches a link only to render a preview with its title and picture. */
  previewBot: boolean;
  browser: string;
  os: string;
  /** Desktop, Mobile, Tablet or TV. */
  device: string;
  /** All names that a `device` condition may match (decision 0022). */
  devices: readonly DeviceName[];
  /** The app whose built-in browser is used, which does not open other apps. */
  inApp: boolean;
}

/** Preview fetchers of social networks and messengers, by a part of their user agent in lower case. */
const previewBots = [
  'facebookexternalhit',
  'facebot',
  'twitterbot',
  'linkedinbot',
  'slackbot-linkexpanding',
  'slack-imgproxy',
  'discordbot',
  'telegrambot',
  'whatsapp',
  'skypeuripreview',
  'microsoftpreview',
  'pinterestbot',
  'redditbot',
  'mastodon',
  'bluesky',
  'vkshare',
  'viber',
  'snap url preview',
  'google-pagerenderer',
  'embedly',
  'iframely',
  'tumblr',
  'mattermost',
  'zulipbot',
  'rocket.chat',
];

/**
 * Programs that fetch a URL for a person. isbot detects them too, but they are not crawlers, so a visit with one of
 * them counts as that person's.
 */
const programs =
  /^(aiohttp|apache-httpclient|axios|bun|curl|dart|deno|go-http-client|got|httpie|insomnia|java|libwww-perl|node|node-fetch|okhttp|postmanruntime|python-(httpx|requests|urllib)|ruby|undici|wget)\b(?!.*(bot|crawl|spider))/i;

/**
 * Apps with built-in browsers, by their user agents: Facebook and Messenger, Instagram, Threads, TikTok, Snapchat,
 * LinkedIn, Pinterest, X, LINE, WeChat, KakaoTalk; and on Android every app that uses the system's WebView (Android
 * developers, "User-Agent Reduction on Android WebView").
 */
const inAppBrowsers =
  /\b(FBAN|FBAV|FB_IAB|Instagram |Barcelona |musical_ly|trill_|BytedanceWebview|Snapchat\/|LinkedInApp|Twitter for i|TwitterAndroid|Line\/|MicroMessenger\/|KAKAOTALK)|\[Pinterest\/|; wv\)/;

const browserNames: Record<string, string> = {
  'Microsoft Edge': 'Edge',
  'Samsung Internet for Android': 'Samsung Internet',
};
const osNames: Record<string, string> = { 'Chrome OS': 'ChromeOS' };
const deviceTypes: Record<string, string> = {
  desktop: 'Desktop',
  mobile: 'Mobile',
  tablet: 'Tablet',
  tv: 'TV',
};
/** All names of systems and browsers that a visitor can have; crawlers are among the browsers. */
export const osList: readonly string[] = Object.values(Bowser.OS_MAP).map((name) => osNames[name] ?? name);
export const browserList: readonly string[] = Object.values(Bowser.BROWSER_MAP).map(
  (name) => browserNames[name] ?? name,
);
const namedOs: readonly DeviceName[] = ['Android', 'Windows', 'macOS', 'Linux', 'ChromeOS'];

/** Parses a user agent header; never throws. */
export function readUserAgent(header: string): UserAgent {
  const lower = header.toLowerCase();
  const previewBot = previewBots.some((part) => lower.includes(part));
  const bot = previewBot || (isbot(header) && !programs.test(header));
  if (header === '') return { bot, previewBot, browser: '', os: '', device: '', devices: [], inApp: false };
  const { browser, os, platform } = Bowser.parse(header);
  const osName = osNames[os.name ?? ''] ?? os.name ?? '';
  // Bowser returns no platform for ChromeOS, which runs on laptops.
  const device = deviceTypes[platform.type ?? ''] ?? (osName === 'ChromeOS' ? 'Desktop' : '');
  return {
    bot,
    previewBot,
    browser: browserNames[browser.name ?? ''] ?? browser.name ?? '',
    os: osName,
    device,
    devices: devicesOf(osName, device, platform.model ?? ''),
    inApp: (osName === 'iOS' || osName === 'Android') && inAppBrowsers.test(header),
  };
}

/** An iPad that requests desktop pages identifies as a Mac, and counts as one here. */
function devicesOf(os: string, device: string, model: string): DeviceName[] {
  const devices: DeviceName[] = [];
  if (model === 'iPhone' || model === 'iPad') devices.push(model);
  const named = namedOs.find((name) => name === os);
  if (named) devices.push(named);
  if (device === 'Mobile' || device === 'Tablet' || device === 'Desktop') devices.push(device);
  return devices;
}
