import type { BodyOf } from '../../contract/endpoint.ts';
import { admissionSettings, getSettings, trustSettings, updateSettings } from '../../contract/settings.ts';
import { actorOf } from '../audit/actor.ts';
import type { AuditLog } from '../audit/service.ts';
import { checkFull, checkGrants } from '../http/scopes.ts';
import { type Route, route } from '../http/serve.ts';
import type { SettingsService } from './service.ts';

interface Options {
  settings: SettingsService;
  audit: AuditLog;
}

/**
 * Whether a change affects which servers are contacted and trusted, or how secrets are delivered. Links in emails
 * start with the public URL and pass through the mail server, and some give access to accounts; if private ranges are
 * allowed, titles and pictures can be read from the local network.
 */
function trusts({ ssl, ...change }: BodyOf<typeof updateSettings>): boolean {
  return trustSettings.some((name) => change[name] !== undefined) || ssl?.acmeDirectory !== undefined;
}

/** Whether a change affects who may create an account, or the permissions of new ones. */
const admits = (change: BodyOf<typeof updateSettings>): boolean =>
  admissionSettings.some((name) => change[name] !== undefined);

/** The settings of the instance, for administrators. */
export function settingsRoutes({ settings, audit }: Options): Route[] {
  return [
    route(getSettings, () => ({ data: settings.show() })),
    route(updateSettings, (call) => {
      if (trusts(call.body)) checkFull(call.caller);
      if (admits(call.body)) checkGrants(call.caller.key.scopes, 'users:write');
      settings.change(call.body, (names) =>
        audit.note(actorOf(call), 'settings.updated', { settings: names }, null),
      );
      return { message: 'The settings were saved.', data: settings.show() };
    }),
  ];
}
