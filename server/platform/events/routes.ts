import { PassThrough } from 'node:stream';
import { type ServerEvent, streamEvents } from '../../contract/events.ts';
import { authoredResources } from '../../contract/roles.ts';
import { grants, readScopes } from '../http/scopes.ts';
import { type Call, type Route, route } from '../http/serve.ts';
import type { Live } from './live.ts';

interface Options {
  live: Live;
  heartbeatMs?: number;
}

/** Resources that can also be read with another scope. */
const scopeOf: Readonly<Record<string, string>> = { audit: 'account' };

/** Whether a member may receive an event: some see only records that they created, as known at that moment. */
function isSeen(event: ServerEvent, { sees }: Pick<Call<typeof streamEvents>, 'sees'>): boolean {
  if (event.type === 'click') return sees('links', event.link);
  if (event.type === 'hello') return true;
  const resource = authoredResources.find((known) => known === event.resource);
  const ids = event.type === 'presence' ? [event.id] : event.ids;
  // The creator of a deleted record is no longer known.
  return resource === undefined || ids.every((id) => sees(resource, id));
}

/**
 * Bytes that may be queued for a slow client: above the first limit it misses clicks, above the second it is
 * disconnected.
 */
const slowReader = 256 * 1024;
const stalledReader = 1024 * 1024;

/** The live stream (WHATWG HTML, "Server-sent events"). */
export function eventRoutes({ live, heartbeatMs = 20_000 }: Options): Route[] {
  return [
    route(streamEvents, (call) => {
      const { caller, context, isStillAllowed } = call;
      const { user, person, key } = caller;
      const stream = new PassThrough({ highWaterMark: slowReader });
      const scopes = readScopes(key.scopes);
      const mayHearOf = (resource: string) => grants(scopes, `${scopeOf[resource] ?? resource}:read`);
      const send = (event: ServerEvent) => {
        // It may have ended already: a stopping server ends each stream as it begins.
        if (!stream.writable) return;
        // Checked for every event: a key is revoked, a plan changes, an account is disabled.
        if (!isStillAllowed()) {
          stream.end();
          return;
        }
        if ('resource' in event && !mayHearOf(event.resource)) return;
        if (!isSeen(event, call)) return;
        if (stream.writableLength + stream.readableLength > stalledReader) stream.destroy();
        else if (event.type !== 'click' || stream.writableLength + stream.readableLength < slowReader) {
          stream.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
        }
      };
      const stop = live.watch({
        userId: user.id,
        personId: person.user.id,
        keyId: key.id,
        timezone: user.timezone,
        send,
        end: () => stream.end(),
      });
      // Comments keep proxies from closing an idle stream, and reveal clients that are gone.
      const heartbeat = setInterval(() => {
        if (!isStillAllowed()) stream.end();
        else if (stream.writable) stream.write(': still here\n\n');
      }, heartbeatMs);
      heartbeat.unref();
      stream.on('close', () => {
        clearInterval(heartbeat);
        stop();
      });
      context.status = 200;
      context.set('Content-Type', 'text/event-stream; charset=utf-8');
      context.set('Cache-Control', 'no-store, no-transform');
      // nginx buffers proxied responses unless told not to.
      context.set('X-Accel-Buffering', 'no');
      context.body = stream;
      send({ type: 'hello' });
      return undefined;
    }),
  ];
}
