import { settingsChange } from '../../contract/settings.ts';
import type { PartialSettings } from './merge.ts';

type Form = 'text' | 'list' | 'number' | 'switch';

/** Each setting's name on the command line (`--base-url`) and in the environment (`WAYPOST_BASE_URL`). */
const options: Record<string, { setting: string; form: Form; help: string }> = {
  'base-url': { setting: 'baseUrl', form: 'text', help: 'public URL, such as https://go.example.com' },
  'public-addresses': {
    setting: 'publicAddresses',
    form: 'list',
    help: 'where branded domains must point',
  },
  'dns-servers': { setting: 'dnsServers', form: 'list', help: 'DNS servers for domain checks' },
  'domain-sync-minutes': {
    setting: 'domainSyncMinutes',
    form: 'number',
    help: 'minutes between domain checks (10)',
  },
  'ssl-mode': { setting: 'ssl.mode', form: 'text', help: 'off, external, local or acme (off)' },
  'acme-directory': { setting: 'ssl.acmeDirectory', form: 'text', help: 'URL of the ACME directory' },
  'acme-email': { setting: 'ssl.acmeEmail', form: 'text', help: 'contact email for the CA' },
  sharing: { setting: 'sharing', form: 'switch', help: 'true shares the instance on the network' },
  'sharing-port': { setting: 'sharingPort', form: 'number', help: 'HTTPS port on the network (8443)' },
  'plain-sharing': {
    setting: 'plainSharing',
    form: 'switch',
    help: 'true accepts keys from the network unencrypted',
  },
  'trusted-proxies': {
    setting: 'trustedProxies',
    form: 'list',
    help: 'addresses or ranges whose X-Forwarded-For is trusted',
  },
  ratelimit: { setting: 'ratelimit', form: 'number', help: 'requests per minute per API key (30)' },
  'max-upload-mb': { setting: 'maxUploadMb', form: 'number', help: 'maximum file size in MB (100)' },
  'allowed-private-ranges': {
    setting: 'allowedPrivateRanges',
    form: 'list',
    help: 'private ranges that pictures may be fetched from',
  },
  registration: { setting: 'registration', form: 'text', help: 'closed, invitation or open (invitation)' },
  'default-plan': { setting: 'defaultPlan', form: 'number', help: 'plan id for new accounts (2)' },
  'store-addresses': {
    setting: 'privacy.storeAddresses',
    form: 'switch',
    help: "true stores visitors' IP addresses",
  },
  'do-not-track': {
    setting: 'privacy.doNotTrack',
    form: 'switch',
    help: 'true ignores visits that ask not to be tracked',
  },
  'uncounted-addresses': {
    setting: 'privacy.uncountedAddresses',
    form: 'list',
    help: 'addresses or ranges whose visits are not counted',
  },
  'retention-days': { setting: 'retentionDays', form: 'number', help: 'days to keep clicks' },
  'fleet-keep-bytes': {
    setting: 'fleet.keepBytes',
    form: 'number',
    help: 'bytes of changes, and of clicks, that the engine of a fleet keeps (1073741824)',
  },
  'fleet-keep-hours': {
    setting: 'fleet.keepHours',
    form: 'number',
    help: 'hours for which it keeps changes (72)',
  },
  backup: { setting: 'backup.enabled', form: 'switch', help: 'false turns off backups' },
  'backup-hour': { setting: 'backup.hour', form: 'number', help: 'hour of the daily backup (2)' },
  'backup-keep-daily': {
    setting: 'backup.keepDaily',
    form: 'number',
    help: 'days to keep daily backups (7)',
  },
  'backup-keep-weekly': {
    setting: 'backup.keepWeekly',
    form: 'number',
    help: 'and then for how many weeks (4)',
  },
  'backup-folder': { setting: 'backup.folder', form: 'text', help: 'backup folder' },
  'mail-host': { setting: 'mail.host', form: 'text', help: 'mail server (none: no email is sent)' },
  'mail-port': { setting: 'mail.port', form: 'number', help: 'port of the mail server (465)' },
  'mail-security': { setting: 'mail.security', form: 'text', help: 'tls, starttls or none (tls)' },
  'mail-user': { setting: 'mail.user', form: 'text', help: 'user at the mail server' },
  'mail-from': { setting: 'mail.from', form: 'text', help: 'address that emails come from' },
};

/** The options' names, without dashes. */
export const settingOptions: readonly string[] = Object.keys(options);

/** One line of help for each option. */
export const settingsHelp = Object.entries(options)
  .map(([name, { form, help }]) => `  ${`--${name} ${form.toUpperCase()}`.padEnd(32)} ${help}`)
  .join('\n');

/**
 * The settings given at startup; `textOf` returns an option's text or undefined. `refuse` receives the message about
 * an invalid option and throws.
 */
export function readStartSettings(
  textOf: (name: string) => string | undefined,
  refuse: (message: string) => never,
): PartialSettings {
  const given: Record<string, unknown> = {};
  for (const [name, { setting, form }] of Object.entries(options)) {
    const text = textOf(name);
    if (text === undefined) continue;
    const value = check(name, setting, readForm(name, text, form, refuse), refuse);
    const [group = '', key] = setting.split('.');
    given[group] = key === undefined ? value : { ...(given[group] as object | undefined), [key]: value };
  }
  // Every value was checked by the schema of its setting.
  return given as PartialSettings;
}

function readForm(name: string, text: string, form: Form, refuse: (message: string) => never): unknown {
  switch (form) {
    case 'text':
      return text;
    case 'list':
      return text
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean);
    case 'number':
      return /^\d{1,15}$/.test(text)
        ? Number(text)
        : refuse(`--${name} takes a whole number, not "${text}".`);
    case 'switch':
      return /^(true|false)$/.test(text)
        ? text === 'true'
        : refuse(`--${name} takes true or false, not "${text}".`);
  }
}

function check(name: string, setting: string, value: unknown, refuse: (message: string) => never): unknown {
  const [group = '', key] = setting.split('.');
  const input = key === undefined ? { [group]: value } : { [group]: { [key]: value } };
  const parsed = settingsChange.partial().safeParse(input);
  if (!parsed.success)
    return refuse(`--${name}: ${parsed.error.issues[0]?.message ?? 'this value does not fit.'}`);
  const whole = parsed.data as Record<string, unknown>;
  return key === undefined ? whole[group] : (whole[group] as Record<string, unknown>)[key];
}
