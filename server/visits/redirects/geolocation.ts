import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Response as Entry, Reader } from 'mmdb-lib';

interface Place {
  /** ISO code; '' when unknown, as for private addresses. */
  country: string;
  /** In English if the database has it; '' if unknown. */
  region: string;
  /** By ISO 3166-2, as `US-CA`; '' if the database only has names. */
  regionCode: string;
  city: string;
}

export interface Geolocation {
  /** The location of an address (canonical text). The first call loads the database unless `warm` has. */
  find(address: string): Place;
  /** Whether the database has cities: the bundled one has countries only. */
  readonly knowsCities: boolean;
  /** The path of the database; undefined if it is not a file. */
  readonly file?: string | undefined;
  /** Loads the database in the background; call it once the server listens. */
  warm(): Promise<void>;
}

const nowhere: Place = { country: '', region: '', regionCode: '', city: '' };
const longestName = 100;

/**
 * Uses the bundled database of countries (CC0, from the registries). Without the file (a stripped installation) every
 * location is unknown.
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
 * Uses a database from the administrator: any in MaxMind's format, with or without cities. Throws a readable Error if
 * the file is not one.
 */
export function geolocationFrom(file: string): Geolocation {
  return inFile(file, () => readFileSync(file));
}

/** The same, loaded in the background. */
export async function readGeolocation(file: string): Promise<Geolocation> {
  const content = await readFile(file);
  return inFile(file, () => content);
}

function inFile(file: string, read: () => Buffer): Geolocation {
  let reader: Reader<Entry>;
  try {
    reader = new Reader(read());
  } catch (cause) {
    throw new Error(`"${file}" cannot be read as a geolocation database (.mmdb).`, { cause });
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
    // Not an address, an unsupported kind, or a damaged entry.
    return nowhere;
  }
  if (!isObject(entry)) return nowhere;
  // The format of MaxMind and DB-IP, and the flat one of ip-location-db.
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

/** Databases store only the part after the hyphen. */
function codeOf(country: string, subdivision: unknown): string {
  const code = isObject(subdivision) ? text(subdivision.iso_code) : '';
  return /^[A-Z0-9]{1,3}$/.test(code) ? `${country}-${code}` : '';
}

/** A plain name, or the English one of several. */
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
