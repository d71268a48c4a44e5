import { open, rename, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { receiveBody, uploadPace } from '../../content/files/receive.ts';
import {
  deletePlaces,
  getPlaces,
  mostPlaceBytes,
  type PlaceDatabaseFacts,
  uploadPlaces,
} from '../../contract/places.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import { workerCall } from '../../platform/concurrency/worker-call.ts';
import type { Core } from '../../platform/core.ts';
import { syncFolder } from '../../platform/database/disk.ts';
import { Refusal, rejected } from '../../platform/errors.ts';
import { route } from '../../platform/http/serve.ts';
import { presentTimestamp } from '../../platform/http/timestamps.ts';
import type { Module } from '../../platform/module.ts';
import type { PlaceDatabase } from '../../visits/redirects/place-database.ts';
import type { Examination } from './examine-thread.ts';

interface Options {
  places: PlaceDatabase;
  /** Called when another database is in use: data cached about visitors must be computed again. */
  onChange: () => void;
}

/** Sets up the geolocation database: its description, and replacing it. */
export function placesModule({ audit }: Core, { places, onChange }: Options): Module {
  const examiner = workerCall<string, Examination>(
    'examiner of places',
    () => new Worker(new URL('./examine-thread.ts', import.meta.url)),
  );
  const target = places.uploadedFile;
  const draft = `${target}.new`;
  let isBusy = false;
  let known: { key: string; examination: Examination } | undefined;

  /** The facts of the file in use, found out once for each. */
  async function facts(timezone: string): Promise<PlaceDatabaseFacts> {
    const source = places.source();
    const nothing = { source, type: null, built: null, bytes: 0, places: 0, regions: false, cities: false };
    const { file } = places;
    const state = file === undefined ? undefined : await stat(file).catch(() => undefined);
    if (file === undefined || !state) return nothing;
    const key = `${file} ${state.mtimeMs} ${state.size}`;
    if (known?.key !== key) known = { key, examination: await examiner.ask(file) };
    const { examination } = known;
    if ('problem' in examination) return nothing;
    const { built, ...others } = examination.facts;
    return { source, ...others, built: presentTimestamp(built, timezone) };
  }

  /** One change at a time. Throws 409 while another is in progress, or if the database was given at startup. */
  async function changing(work: () => Promise<void>): Promise<void> {
    if (places.source() === 'started') {
      throw new Refusal(
        409,
        'The server was started with a geolocation database of its own. Start it without --geo-database first.',
        {
          code: 'set_by_start',
        },
      );
    }
    if (isBusy) {
      throw new Refusal(409, 'Another geolocation database is being uploaded. Wait until it is finished.', {
        code: 'busy',
      });
    }
    isBusy = true;
    try {
      await work();
    } finally {
      isBusy = false;
    }
  }

  async function receive(request: IncomingMessage, checkStillAllowed: () => void): Promise<void> {
    try {
      await receiveFile(request, draft);
      const examination = await examiner.ask(draft);
      if ('problem' in examination) throw rejected('invalid_places', 'body', examination.problem);
      checkStillAllowed();
      await rename(draft, target);
      syncFolder(dirname(target));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  return {
    close: examiner.close,
    routes: [
      route(getPlaces, async ({ caller }) => ({ data: await facts(caller.user.timezone) })),
      route(uploadPlaces, async (call) => {
        await changing(async () => {
          await receive(call.request, call.checkStillAllowed);
          await places.reload();
          onChange();
        });
        const data = await facts(call.caller.user.timezone);
        audit.note(actorOf(call), 'places.uploaded', { type: data.type }, null);
        return { message: 'The geolocation database is in use.', data };
      }),
      route(deletePlaces, async (call) => {
        await changing(async () => {
          await rm(target, { force: true });
          await places.reload();
          onChange();
        });
        audit.note(actorOf(call), 'places.deleted', {}, null);
        return {
          message: 'The geolocation database was removed.',
          data: await facts(call.caller.user.timezone),
        };
      }),
    ],
  };
}

/** Throws 400 for an empty body, 413 for one that is too large. */
async function receiveFile(request: IncomingMessage, path: string): Promise<void> {
  const tooLarge = () =>
    new Refusal(413, `Send a file of at most ${mostPlaceBytes / 1024 / 1024} MB.`, {
      code: 'file_too_large',
      field: 'body',
    });
  if (Number(request.headers['content-length'] ?? 0) > mostPlaceBytes) throw tooLarge();
  await rm(path, { force: true });
  const handle = await open(path, 'wx', 0o600);
  try {
    const size = await receiveBody(request, uploadPace, async (chunk, received) => {
      if (received > mostPlaceBytes) throw tooLarge();
      for (let written = 0; written < chunk.length; ) {
        written += (await handle.write(chunk, written, chunk.length - written)).bytesWritten;
      }
    });
    if (size === 0) throw rejected('required', 'body', 'Send the database file as the body.');
    await handle.sync();
  } finally {
    await handle.close();
  }
}
