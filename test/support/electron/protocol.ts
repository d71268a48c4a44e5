import type { Protocol } from 'electron';
import { app, mustBeReady } from './app.ts';

type Used = Pick<Protocol, 'handle' | 'registerSchemesAsPrivileged'>;

const handlers = new Map<string, (request: Request) => Response | Promise<Response>>();
const registered = new Set<string>();

export const protocol = {
  registerSchemesAsPrivileged(schemes) {
    if (app.isReady())
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    if (registered.size > 0) throw new Error('protocol.registerSchemesAsPrivileged can be called only once');
    for (const { scheme, privileges } of schemes) {
      if (privileges?.standard && privileges.secure) registered.add(scheme);
    }
  },
  handle(scheme, handler) {
    mustBeReady('Session can only be received when app is ready');
    // Unregistered, Chromium would give such a page neither an origin nor storage.
    if (!registered.has(scheme))
      throw new Error(`The scheme ${scheme} is not registered as standard and secure.`);
    handlers.set(scheme, handler);
  },
} satisfies Used;

/** Lets the app answer a request of the page, with the address that the app knows. */
export async function answerByApp(request: Request): Promise<Response> {
  const handler = handlers.get(new URL(request.url).protocol.slice(0, -1));
  return handler ? handler(request) : Response.error();
}
