import type { InstanceCondition } from '../../contract/instance.ts';
import { getHealth, getInstance, getMeta, getOpenApi } from '../../contract/instance.ts';
import type { SessionService } from '../../identity/sessions/service.ts';
import { acceptsCoding } from '../../platform/http/content-coding.ts';
import { hasCopy } from '../../platform/http/entity-tags.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { presentOptional } from '../../platform/http/timestamps.ts';
import { openApiAnswer } from './openapi-answer.ts';

/** Version of the published interface that this server answers to; it carries no number of its own. */
const contractVersion = '3';

interface Options {
  version: string;
  features: readonly string[];
  sessions: SessionService;
  /** Where short links begin that are on no domain. */
  baseUrl: () => string;
  /** All routes, these included: the document describes what is served. */
  routes: () => readonly Route[];
  /** How the instance is; `doubtedSince` in UTC milliseconds. */
  condition: () => Omit<InstanceCondition, 'clockdoubtedsince'> & { doubtedSince: number | null };
}

/** What the instance says about itself to everybody. */
export function instanceRoutes(options: Options): Route[] {
  const { version, features, sessions, baseUrl, routes, condition } = options;
  const openApi = openApiAnswer({
    endpoints: () => routes().map((known) => known.endpoint),
    version,
  });
  return [
    route(getMeta, () => ({
      data: {
        name: 'Waypost',
        version,
        contract: contractVersion,
        features: [...features],
        setup: sessions.isFresh(),
        linkorigin: baseUrl(),
      },
    })),
    route(getHealth, () => ({})),
    route(getInstance, ({ caller }) => {
      const { doubtedSince, ...rest } = condition();
      return { data: { ...rest, clockdoubtedsince: presentOptional(doubtedSince, caller.user.timezone) } };
    }),
    route(getOpenApi, async ({ context }) => {
      const answer = await openApi();
      const isCompressed = acceptsCoding(context.get('Accept-Encoding'), 'gzip');
      const { body, etag } = isCompressed ? answer.gzip : answer.plain;
      // The same for everybody, so a copy may be kept; whether it is still the same is asked each time.
      context.set({ ETag: etag, 'Cache-Control': 'no-cache' });
      context.vary('Accept-Encoding');
      context.type = 'json';
      context.status = 200;
      if (hasCopy(context.req, etag)) context.status = 304;
      else {
        if (isCompressed) context.set('Content-Encoding', 'gzip');
        context.body = body;
      }
      return undefined;
    }),
  ];
}
