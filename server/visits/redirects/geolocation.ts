import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Response as Entry, Reader } from 'mmdb-lib';

interface Place {
  /** ISO code; '' when unknown, as for private addresses. */
  country: string;
  /** In English, as far as the database goes; '' when unknown. */
  region: string;
  /** By ISO 3166-2, as `US-CA`; '' where the database has names alone. */
  regionCode: string;
  city: string;
}

export interface Geolocation {
  /** The place of an address (canonical text). The first call reads the database if `warm` has not. */
  find(address: string): Place;
  /** Whether cities are known at all: the database that comes with the program has countries only. */
  readonly knowsCities: boolean;
  /** Where the database lies; undefined where it is no file. */
  readonly file?: string | undefined;
  /** Reads the database without holding up anything; to be called once the server listens. */
  warm(): Promise<void>;
}

const nowhere: Place = { country: '', region: '', regionCode: '', city: '' };
const longestName = 100;

/**
 * Finds countries in the database that comes with the program (CC0, from the registries). Without the file (a stripped
 * installation) every place is unknown.
 */
export function geolocation(file: () => string = bundledFile): Geolocation {
  let reader: Reader<Entry> | undefined;
  let missing = false;

  function read(load: () => Buffer): void {
    try {
      reader = new Reader(load());
    } catch {
      // Statistics without countries are better than no redirects.
      missing = true;
    }
  }

  return {
    knowsCities: false,
    get file() {
      return existing(file);
    },
    find(address) {
      if (!reader && !missing) read(() => readFileSync(file()));
      return reader ? placeIn(reader, address) : nowhere;
    },
    async warm() {
      if (reader || missing) return;
      const content = await readFile(file()).catch(() => undefined);
      if (content && !reader) read(() => content);
    },
  };
}

/**
 * Finds places in a database that the administrator brings: any in MaxMind's file format, with cities or without.
 * Throws an Error with a sentence when the file is none.
 */
export function geolocationFrom(file: string): Geolocation {
  return inFile(file, () => readFileSync(file));
}

/** The same while visitors come: the file is read without holding them up. */
export async function readGeolocation(file: string): Promise<Geolocation> {
  const content = await readFile(file);
  return inFile(file, () => content);
}

function inFile(file: string, read: () => Buffer): Geolocation {
  let reader: Reader<Entry>;
  try {
    reader = new Reader(read());
  } catch (cause) {
    throw new Error(`"${file}" cannot be read as a database of places (.mmdb).`, { cause });
  }
  return {
    file,
    knowsCities: !/country|asn/i.test(reader.metadata.databaseType),
    find: (address) => placeIn(reader, address),
    warm: async () => {},
  };
}

/** What a database says of an address (canonical text). */
export function placeIn(reader: Reader<Entry>, address: string): Place {
  let entry: unknown;
  try {
    entry = reader.get(address);
  } catch {
    // No address, one of a kind that the database does not know, or a damaged entry.
    return nowhere;
  }
  if (!isObject(entry)) return nowhere;
  // The form of MaxMind and DB-IP, and the flat one of ip-location-db.
  const country = text(isObject(entry.country) ? entry.country.iso_code : entry.country_code);
  if (!/^[A-Z]{2}$/.test(country)) return nowhere;
  const subdivision = Array.isArray(entry.subdivisions) ? entry.subdivisions[0] : undefined;
  return {
    country,
    region: nameOf(subdivision ?? entry.state1),
    regionCode: codeOf(country, subdivision),
    city: nameOf(entry.city),
  };
}

/** Databases write the part behind the hyphen alone. */
function codeOf(country: string, subdivision: unknown): string {
  const code = isObject(subdivision) ? text(subdivision.iso_code) : '';
  return /^[A-Z0-9]{1,3}$/.test(code) ? `${country}-${code}` : '';
}

/** A name as it stands, or the English one of several. */
function nameOf(value: unknown): string {
  if (!isObject(value)) return text(value);
  return isObject(value.names) ? text(value.names.en) : '';
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, longestName).toWellFormed() : '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function existing(file: () => string): string | undefined {
  try {
    return file();
  } catch {
    // A stripped installation.
    return undefined;
  }
}

function bundledFile(): string {
  return createRequire(import.meta.url).resolve(
    '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
  );
}
