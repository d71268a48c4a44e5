import { approveBrowserSignIn, finishBrowserSignIn } from '../../contract/browser-sign-in.ts';
import { actorOf } from '../../platform/audit/actor.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { presentSignedIn } from '../sessions/presenter.ts';
import type { BrowserSignIn } from './service.ts';

interface Options {
  browserSignIn: BrowserSignIn;
  baseUrl: () => string;
}

/** Signing in to a desktop app through the browser: the approval, and the exchange of its code. */
export function browserSignInRoutes({ browserSignIn, baseUrl }: Options): Route[] {
  return [
    route(approveBrowserSignIn, (call) => {
      const { challenge, redirecturi: redirectUri, device } = call.body;
      const wish = { challenge, redirectUri, device };
      return { data: { code: browserSignIn.approve(call.caller, wish, actorOf(call)) } };
    }),
    route(finishBrowserSignIn, ({ body, address }) => {
      const { code, verifier, redirecturi: redirectUri } = body;
      const signedIn = browserSignIn.redeem({ code, verifier, redirectUri }, address);
      return { message: 'Signed in.', data: presentSignedIn(signedIn, baseUrl()) };
    }),
  ];
}
