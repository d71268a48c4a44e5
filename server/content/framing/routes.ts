import { checkFraming } from '../../contract/framing.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import type { LinkReferences } from '../links/references.ts';
import type { FramingService } from './service.ts';

interface Options {
  framing: FramingService;
  references: Pick<LinkReferences, 'domainOf' | 'readDestination'>;
  hostOf: (domainId: number, userId: number) => string | null;
}

/** The endpoint that asks a destination about frames before a link is saved. */
export function framingRoutes({ framing, references, hostOf }: Options): Route[] {
  return [
    route(checkFraming, async ({ caller, body }) => {
      const url = references.readDestination(body.url, 'url');
      const userId = caller.user.id;
      const domain = body.domain ? references.domainOf(body.domain, userId) : null;
      return { data: await framing.askFor(url, domain === null ? null : hostOf(domain, userId)) };
    }),
  ];
}
