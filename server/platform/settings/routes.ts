import { getSettings, updateSettings } from '../../contract/settings.ts';
import { actorOf } from '../audit/actor.ts';
import type { AuditLog } from '../audit/service.ts';
import { checkGrants } from '../http/scopes.ts';
import { type Route, route } from '../http/serve.ts';
import type { SettingsService } from './service.ts';

interface Options {
  settings: SettingsService;
  audit: AuditLog;
}

/** The settings of the instance, for administrators. */
export function settingsRoutes({ settings, audit }: Options): Route[] {
  return [
    route(getSettings, () => ({ data: settings.show() })),
    route(updateSettings, (call) => {
      // Links in messages begin with the one and travel through the other, and some of these open accounts.
      if (call.body.baseUrl !== undefined || call.body.mail !== undefined) {
        checkGrants(call.caller.key.scopes, 'full');
      }
      settings.change(call.body, (names) =>
        audit.note(actorOf(call), 'settings.updated', { settings: names }, null),
      );
      return { message: 'The settings were saved.', data: settings.show() };
    }),
  ];
}
