import { type ServerEvent, streamEvents } from '../../contract/events.ts';
import { authoredResources } from '../../contract/roles.ts';
import { grants, readScopes } from '../http/scopes.ts';
import { type Call, type Route, route } from '../http/serve.ts';
import type { Live } from './live.ts';

interface Options {
  live: Live;
  /** Runs a work in a turn of its own. */
  take: (work: () => void) => void;
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

/** The event as a stream carries it. */
const textOf = (event: ServerEvent): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/**
 * The live stream (WHATWG HTML, "Server-sent events"). It is written to the connection without Koa: for each stream
 * that a client breaks off, a pipeline creates errors with stack traces, and redirects wait while two hundred end.
 */
export function eventRoutes({ live, take, heartbeatMs = 20_000 }: Options): Route[] {
  return [
    route(streamEvents, (call) => {
      const { caller, context, isStillAllowed } = call;
      const { user, person, key } = caller;
      const response = context.res;
      const scopes = readScopes(key.scopes);
      const mayHearOf = (resource: string) => grants(scopes, `${scopeOf[resource] ?? resource}:read`);
      const isOpen = () => !response.writableEnded && !response.destroyed;
      const begin = () => {
        context.respond = false;
        context.status = 200;
        context.set('Content-Type', 'text/event-stream; charset=utf-8');
        context.set('Cache-Control', 'no-store, no-transform');
        // nginx buffers proxied responses unless told not to.
        context.set('X-Accel-Buffering', 'no');
      };
      const end = () => {
        // A stopping server ends each stream as it begins.
        if (!response.headersSent) begin();
        if (isOpen()) response.end();
      };

      function sendOne(event: ServerEvent): void {
        if ('resource' in event && !mayHearOf(event.resource)) return;
        if (!isSeen(event, call)) return;
        const waiting = response.writableLength;
        if (waiting > stalledReader) response.destroy();
        else if (event.type !== 'click' || waiting < slowReader) response.write(textOf(event));
      }

      const stop = live.watch({
        userId: user.id,
        personId: person.user.id,
        keyId: key.id,
        timezone: user.timezone,
        send(events) {
          // Checked every time: a key is revoked, a plan changes, an account is disabled.
          if (isOpen() && !isStillAllowed()) end();
          for (const event of events) if (isOpen()) sendOne(event);
        },
        end,
      });
      // Comments keep proxies from closing an idle stream, and reveal clients that are gone.
      const heartbeat = setInterval(() => {
        take(() => {
          if (!isOpen()) return;
          if (isStillAllowed()) response.write(': still here\n\n');
          else end();
        });
      }, heartbeatMs);
      heartbeat.unref();
      response.once('close', () => {
        clearInterval(heartbeat);
        stop();
      });
      if (isOpen()) {
        begin();
        response.write(textOf({ type: 'hello' }));
      }
      return undefined;
    }),
  ];
}
