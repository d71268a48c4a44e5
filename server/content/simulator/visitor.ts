import ipaddr from 'ipaddr.js';
import type { DeviceName } from '../../contract/rules.ts';
import type { SimulatedVisitor } from '../../contract/simulator.ts';
import { rejected } from '../../platform/errors.ts';
import { parseTimestamp, presentTimestamp } from '../../platform/http/timestamps.ts';
import { browserList, osList } from '../../platform/text/user-agent.ts';
import { readReferrer } from '../../visits/redirects/referrer.ts';
import type { SimulatedVisit } from '../../visits/redirects/simulator.ts';
import { countryCode } from '../links/countries.ts';
import { deviceName, languageCode } from '../links/rules.ts';

/** A visitor as cases store it: codes instead of names, time in UTC milliseconds, the query as text. */
export type StoredVisitor = Omit<SimulatedVisitor, 'at' | 'query' | 'device'> & {
  at?: number;
  query?: string;
  device?: DeviceName;
};

interface DeviceFacts {
  os: string | undefined;
  devices: readonly DeviceName[];
}

/** What else a visitor's device implies. An Android device is assumed to be a phone. */
const deviceFacts: Record<DeviceName, DeviceFacts> = {
  iPhone: { os: 'iOS', devices: ['iPhone', 'Mobile'] },
  iPad: { os: 'iOS', devices: ['iPad', 'Tablet'] },
  Android: { os: 'Android', devices: ['Android', 'Mobile'] },
  Windows: { os: 'Windows', devices: ['Windows', 'Desktop'] },
  macOS: { os: 'macOS', devices: ['macOS', 'Desktop'] },
  Linux: { os: 'Linux', devices: ['Linux', 'Desktop'] },
  ChromeOS: { os: 'ChromeOS', devices: ['ChromeOS', 'Desktop'] },
  Mobile: { os: undefined, devices: ['Mobile'] },
  Tablet: { os: undefined, devices: ['Tablet'] },
  Desktop: { os: undefined, devices: ['Desktop'] },
};

/**
 * Reads a visitor as a client describes one. `prefix` goes before the names of fields. Throws 400 on a value that no
 * visitor can have: a country, device, system, browser or language that is unknown, or a device with a foreign system.
 */
export function readVisitor(sent: SimulatedVisitor, timezone: string, prefix = ''): StoredVisitor {
  const refuse = (field: string, expected: string) =>
    rejected('invalid_value', prefix + field, `Send ${expected}.`);
  const read = <Value>(
    field: keyof SimulatedVisitor,
    parse: (text: string) => Value | undefined,
    expected: string,
  ): Value | undefined => {
    const text = sent[field];
    if (typeof text !== 'string' || text.trim() === '') return undefined;
    const value = parse(text.trim());
    if (value === undefined) throw refuse(field, expected);
    return value;
  };

  const device = read('device', deviceName, `one of ${Object.keys(deviceFacts).join(', ')}`);
  const os = read('os', nameIn(osList), 'a system such as Windows, macOS, Linux, Android or iOS');
  const usual = device && deviceFacts[device].os;
  if (os !== undefined && usual !== undefined && os !== usual) {
    throw rejected('invalid_value', `${prefix}os`, `This device runs ${usual}. Leave os empty.`);
  }
  const at = read('at', (text) => parseTimestamp(text, timezone, 'start', `${prefix}at`), 'a moment');
  return withoutGaps({
    country: read('country', countryCode, 'a country by its English name or ISO code'),
    region: read('region', (text) => text, 'a region'),
    city: read('city', (text) => text, 'a city'),
    device,
    os,
    browser: read('browser', nameIn(browserList), 'a browser such as Chrome, Safari, Firefox or Edge'),
    language: read('language', languageCode, 'a language code such as de or pt-BR'),
    at,
    query: queryText(sent.query) || undefined,
    referrer: read('referrer', referrerText, 'the address of a page'),
    ip: read('ip', addressText, 'an IPv4 or IPv6 address'),
    inapp: sent.inapp || undefined,
    returning: sent.returning || undefined,
    unlocked: sent.unlocked || undefined,
    draw: sent.draw,
  });
}

/** The same visitor for clients: with the time in the account's time zone. */
export function presentVisitor(stored: StoredVisitor, timezone: string): SimulatedVisitor {
  const { at, ...rest } = stored;
  return at === undefined ? rest : { ...rest, at: presentTimestamp(at, timezone) };
}

/** The visitor for rules; without a time of its own, it is now. */
export function simulatedVisit(stored: StoredVisitor, now: number): SimulatedVisit {
  const facts = stored.device && deviceFacts[stored.device];
  const os = stored.os ?? facts?.os ?? '';
  const named = deviceName(os);
  const devices = new Set([...(named ? [named] : []), ...(facts?.devices ?? [])]);
  return {
    at: stored.at ?? now,
    address: stored.ip ?? '',
    country: stored.country,
    region: stored.region,
    city: stored.city,
    devices: [...devices],
    os,
    browser: stored.browser ?? '',
    languages: stored.language === undefined ? [] : [stored.language],
    // On a computer, visits do not show built-in browsers of apps.
    inApp: stored.inapp === true && (os === 'iOS' || os === 'Android'),
    query: stored.query ?? '',
    referrer: stored.referrer ?? '',
    returning: stored.returning ?? false,
    unlocked: stored.unlocked ?? false,
    draw: stored.draw ?? 0,
  };
}

function nameIn(names: readonly string[]) {
  return (text: string) => names.find((name) => name.toLowerCase() === text.toLowerCase());
}

function queryText(query: SimulatedVisitor['query']): string {
  if (query === undefined) return '';
  if (typeof query === 'string') return query.replace(/^\?/, '');
  return new URLSearchParams(query).toString();
}

/** Host and path, as rules see a referrer. */
function referrerText(text: string): string | undefined {
  const { host, path } = readReferrer(text.includes('://') ? text : `https://${text}`);
  return host === '' ? undefined : host + path;
}

function addressText(text: string): string | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : undefined;
}

/** Leaves out what was not sent, so that a case stores only what it says. */
function withoutGaps<Fields extends Record<string, unknown>>(fields: Fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
}
