import type { Identity } from '../../identity/module.ts';
import type { Core } from '../../platform/core.ts';
import type { Route } from '../../platform/http/serve.ts';
import type { Module } from '../../platform/module.ts';
import type { Redirects } from '../../visits/redirects/redirect-path.ts';
import { features } from './features.ts';
import { instanceRoutes } from './routes.ts';

interface Options {
  version: string;
  identity: Pick<Identity, 'lostSecrets' | 'sessions'>;
  redirects: Pick<Redirects, 'lostClicks'>;
  /** Of all other modules: the OpenAPI document describes what is served. */
  otherRoutes: readonly Route[];
}

/** Wires what the instance says about itself. */
export function instanceModule(core: Core, { version, identity, redirects, otherRoutes }: Options): Module {
  const { baseUrl, clock, soundness, space } = core;
  const lost = identity.lostSecrets ?? null;
  const own: Route[] = instanceRoutes({
    version,
    features,
    sessions: identity.sessions,
    baseUrl,
    routes: () => [...own, ...otherRoutes],
    condition: () => ({
      lostvisits: redirects.lostClicks(),
      disk: space.state(),
      damage: soundness.fault(),
      lostsecrets: lost && { kinds: lost.kinds, key: lost.isKeyMissing ? 'missing' : 'other' },
      freebytes: space.freeBytes(),
      doubtedSince: clock.doubtedSince(),
    }),
  });
  return { routes: own };
}
