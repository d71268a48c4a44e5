import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type CountryResponse, Reader } from 'mmdb-lib';

export interface Place {
  /** ISO code; '' when unknown, as for private addresses. */
  country: string;
  region: string;
  city: string;
}

export interface Geolocation {
  /** The place of an address (canonical text). The first call reads the database if `warm` has not. */
  find(address: string): Place;
  /** Whether cities are known at all: the database that comes with the program has countries only. */
  knowsCities: boolean;
  /** Reads the database without holding up anything; to be called once the server listens. */
  warm(): Promise<void>;
}

const nowhere: Place = { country: '', region: '', city: '' };

/** What the database in use has for an address: country codes only, from the registries (CC0). */
interface Entry extends CountryResponse {
  country_code?: string;
}

/**
 * Finds countries in the database that comes with the program. Without the file (a stripped installation) every place
 * is unknown. `file` is a database of the same form.
 */
export function geolocation(file: () => string = bundledFile): Geolocation {
  let reader: Reader<Entry> | undefined;
  let missing = false;

  function read(load: () => Buffer): void {
    try {
      reader = new Reader<Entry>(load());
    } catch {
      // Statistics without countries are better than no redirects.
      missing = true;
    }
  }

  return {
    knowsCities: false,
    find(address) {
      if (!reader && !missing) read(() => readFileSync(file()));
      const country = lookUp(reader, address);
      return country === '' ? nowhere : { country, region: '', city: '' };
    },
    async warm() {
      if (reader || missing) return;
      const content = await readFile(file()).catch(() => undefined);
      if (content && !reader) read(() => content);
    },
  };
}

function lookUp(reader: Reader<Entry> | undefined, address: string): string {
  try {
    const code = reader?.get(address)?.country_code;
    return code !== undefined && /^[A-Z]{2}$/.test(code) ? code : '';
  } catch {
    // No address, or one of a kind that the database does not know.
    return '';
  }
}

function bundledFile(): string {
  return createRequire(import.meta.url).resolve(
    '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
  );
}
