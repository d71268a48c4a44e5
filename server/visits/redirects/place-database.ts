import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Geolocation, geolocation, geolocationFrom, readGeolocation } from './geolocation.ts';

/** The geolocation database in use; an administrator can replace it at any time. */
export interface PlaceDatabase extends Geolocation {
  source(): 'bundled' | 'started' | 'uploaded';
  /** The path of an uploaded database. */
  readonly uploadedFile: string;
  /** Switches to the uploaded database, or back to the bundled one if there is none. */
  reload(): Promise<void>;
}

interface Options {
  /** The path given at startup; it takes precedence. */
  started: Geolocation | undefined;
  /** The data folder. */
  folder: string;
  log: Pick<Logger, 'error'>;
}

/**
 * Uses the database given at startup, the uploaded one, or the bundled one, in this order.
 */
export function placeDatabase({ started, folder, log }: Options): PlaceDatabase {
  const uploadedFile = join(folder, 'places.mmdb');
  const bundled = geolocation();
  let uploaded = started ? undefined : openUploaded();
  const current = (): Geolocation => started ?? uploaded ?? bundled;

  function openUploaded(): Geolocation | undefined {
    if (!existsSync(uploadedFile)) return undefined;
    try {
      return geolocationFrom(uploadedFile);
    } catch (error) {
      // Statistics with countries only are better than no server.
      log.error({ err: error }, 'the uploaded geolocation database cannot be read');
      return undefined;
    }
  }

  return {
    uploadedFile,
    source: () => (started ? 'started' : uploaded ? 'uploaded' : 'bundled'),
    async reload() {
      uploaded = existsSync(uploadedFile) ? await readGeolocation(uploadedFile) : undefined;
      await current().warm();
    },
    get file() {
      return current().file;
    },
    get knowsCities() {
      return current().knowsCities;
    },
    find: (address) => current().find(address),
    warm: () => current().warm(),
  };
}
