import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { timestamp } from './envelope.ts';

/** Maximum size of a location database, which is held in memory. Bytes. */
export const mostPlaceBytes = 256 * 1024 * 1024;

/** Source of the GeoIP database: bundled, given at startup, or uploaded. */
export const placeSources = ['bundled', 'started', 'uploaded'] as const;

export const placeDatabase = z.object({
  source: z.enum(placeSources),
  /** The database type according to the file; null if there is no file, so that locations are unknown. */
  type: z.string().nullable(),
  /** The build date set by its publisher. */
  built: timestamp.nullable(),
  bytes: z.number().int(),
  /** Number of distinct locations for IPv4 addresses. */
  places: z.number().int(),
  regions: z.boolean(),
  cities: z.boolean(),
});
export type PlaceDatabaseFacts = z.output<typeof placeDatabase>;

export const getPlaces = endpoint({
  method: 'GET',
  path: '/api/places',
  summary: 'Get the geolocation database in use.',
  access: 'admin',
  scope: 'settings',
  reply: z.object({ data: placeDatabase }),
});

export const uploadPlaces = endpoint({
  method: 'POST',
  path: '/api/places/upload',
  summary: 'Upload a geolocation database in the MMDB format, which is used at once; the body is the file.',
  access: 'admin',
  scope: 'settings',
  reachesAll: true,
  rawBody: true,
  refusals: [409],
  reply: z.object({ message: z.string(), data: placeDatabase }),
});

export const deletePlaces = endpoint({
  method: 'DELETE',
  path: '/api/places/delete',
  summary: 'Remove the uploaded geolocation database and return to the bundled one.',
  access: 'admin',
  scope: 'settings',
  reachesAll: true,
  refusals: [409],
  reply: z.object({ message: z.string(), data: placeDatabase }),
});
