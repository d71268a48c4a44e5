import { getSettings, updateSettings } from '../../contract/settings.ts';
import { actorOf } from '../audit/actor.ts';
import type { AuditLog } from '../audit/service.ts';
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
      settings.change(call.body, (names) =>
        audit.note(actorOf(call), 'settings.updated', { settings: names }, null),
      );
      return { message: 'The settings were saved.', data: settings.show() };
    }),
  ];
}
