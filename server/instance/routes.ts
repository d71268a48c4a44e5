import { getHealth, getMeta, getOpenApi } from '../contract/instance.ts';
import { type Route, route } from '../http/serve.ts';
import type { SessionService } from '../sessions/service.ts';
import { openApiDocument } from './openapi.ts';

/** Version of the published interface that this server answers to; it carries no number of its own. */
const contractVersion = '3';

interface Options {
  version: string;
  features: readonly string[];
  sessions: SessionService;
  /** All routes, these included: the document describes what is served. */
  routes: () => readonly Route[];
}

/** What the instance says about itself to everybody. */
export function instanceRoutes({ version, features, sessions, routes }: Options): Route[] {
  return [
    route(getMeta, () => ({
      data: {
        name: 'Waypost',
        version,
        contract: contractVersion,
        features: [...features],
        setup: sessions.isFresh(),
      },
    })),
    route(getHealth, () => ({})),
    route(getOpenApi, ({ context }) => {
      context.body = openApiDocument(
        routes().map((known) => known.endpoint),
        version,
      );
      return undefined;
    }),
  ];
}
