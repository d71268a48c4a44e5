import { rejected } from '../../platform/errors.ts';
import type { SettingsRule } from '../../platform/settings/service.ts';

interface Options {
  planExists: (id: number) => boolean;
  /** Whether a host is a branded domain, of an account or of the platform. */
  isDomain: (host: string) => boolean;
}

/** What settings must be true to beyond themselves: plans and domains that exist. */
export function settingsRules({ planExists, isDomain }: Options): SettingsRule {
  return (next, current) => {
    if (!planExists(next.defaultPlan)) throw rejected('unknown_plan', 'defaultPlan', 'Plan not found.');
    const { baseUrl } = next;
    if (baseUrl !== null && baseUrl !== current.baseUrl && isDomain(new URL(baseUrl).hostname)) {
      throw rejected(
        'address_is_domain',
        'baseUrl',
        'This host is a domain on this instance. Delete that domain first, or choose another URL.',
      );
    }
  };
}
