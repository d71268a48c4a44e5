import { mustBeReady } from './app.ts';
import { net as early } from './net.ts';

/** Requests of a whole app, which Electron sends only once that is ready; tests of requests alone have no app. */
export const net: typeof early = {
  request(options) {
    mustBeReady('net module can only be used after app is ready');
    return early.request(options);
  },
};
