import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Geolocation, geolocation, geolocationFrom, readGeolocation } from './geolocation.ts';

/** The database of places in use, which an administrator can replace while visitors come. */
export interface PlaceDatabase extends Geolocation {
  source(): 'bundled' | 'started' | 'uploaded';
  /** Where an uploaded one lies. */
  readonly uploadedFile: string;
  /** Takes into use what lies there, or goes back to what comes with the program. */
  reload(): Promise<void>;
}

interface Options {
  /** The one that the start of the server names, which goes before all others. */
  started: Geolocation | undefined;
  /** The data folder. */
  folder: string;
  log: Pick<Logger, 'error'>;
}

/**
 * Finds places in the database that the start names, the one that was uploaded, or the one that comes with the program.
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
      // Statistics with countries alone are better than no server.
      log.error({ err: error }, 'the uploaded database of places cannot be read');
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
