import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { PartialSettings } from './settings/merge.ts';
import { readStartSettings, settingOptions, settingsHelp } from './settings/start-options.ts';
import { parseVaultKey } from './vault.ts';

/** The NATS server of a fleet and its credentials, as given at startup; anything not given keeps its stored value. */
export interface StartFleet {
  url: string;
  user?: string | undefined;
  password?: string | undefined;
  token?: string | undefined;
  /** The contents of a credentials file. */
  credentials?: string | undefined;
  /** The seed that signs the edges' credentials. */
  signingkey?: string | undefined;
  /** The contents of the operator key file, which is needed to revoke edges. */
  operatorkey?: string | undefined;
  edgeuser?: string | undefined;
  edgepassword?: string | undefined;
}

/** Every startup option, from the command line or a `WAYPOST_…` variable; the command line takes precedence. */
export interface Config {
  command: 'serve' | 'seed' | 'edge' | 'help' | 'version';
  port: number;
  /** Port for HTTPS; undefined to disable it. */
  httpsPort: number | undefined;
  /** Addresses to listen on; loopback by default. */
  hosts: string[];
  /** The data folder. */
  data: string;
  /** A geolocation database to use instead of the bundled one, which has countries only. */
  geoDatabase: string | undefined;
  /** Settings given at startup; they override what the administrator stored. */
  settings: PartialSettings;
  /** The vault key, if it is passed in instead of being stored as a file in the data folder. */
  vaultKey: Buffer | undefined;
  /** The password for the mail server, if given at startup; the server must then be given, too. */
  mailPassword: string | undefined;
  logLevel: string;
  /** Turns the fleet on, with this NATS server. */
  fleet: StartFleet | undefined;
  /** The token with which an edge joins its fleet. */
  join: string | undefined;
  /** Started by the desktop app: uses the next free port if the requested one is taken. */
  desktop: boolean;
  /** Time zone of the instance and of new accounts. */
  timezone: string;
}

/** Invalid startup options; the message is shown in the terminal. */
export class ConfigRefused extends Error {}

const flags = {
  port: { type: 'string' },
  'https-port': { type: 'string' },
  host: { type: 'string', multiple: true },
  data: { type: 'string' },
  'geo-database': { type: 'string' },
  'log-level': { type: 'string' },
  desktop: { type: 'boolean' },
  fleet: { type: 'string' },
  join: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;
const settingFlags = Object.fromEntries(settingOptions.map((name) => [name, { type: 'string' as const }]));

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'];

/**
 * Reads the configuration. Throws ConfigRefused with a sentence that names the invalid option. This is the only place
 * in the server that reads the environment.
 */
export function readConfig(args: string[], environment: NodeJS.ProcessEnv = process.env): Config {
  const { values, positionals } = parse(args);
  const value = (name: string): string | undefined => {
    const given = (values as Record<string, unknown>)[name];
    if (typeof given === 'string') return given;
    return environment[`WAYPOST_${name.toUpperCase().replaceAll('-', '_')}`] || undefined;
  };
  const list = (name: string) =>
    (value(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean);
  const hosts = values.host ?? list('host');
  const settings = readStartSettings(value, (message) => {
    throw new ConfigRefused(message);
  });
  return {
    command: commandOf(values, positionals),
    port: integer('port', value('port') ?? '8420', 0, 65_535),
    httpsPort: value('https-port') ? integer('https-port', value('https-port') ?? '', 0, 65_535) : undefined,
    hosts: hosts.length > 0 ? hosts : ['127.0.0.1', '::1'],
    data: value('data') ?? defaultDataFolder(environment),
    geoDatabase: value('geo-database'),
    settings,
    vaultKey: readVaultKey(environment),
    mailPassword: readMailPassword(environment, settings),
    logLevel: oneOf('log-level', value('log-level') ?? 'info', logLevels),
    fleet: readFleet(value('fleet'), environment),
    join: value('join'),
    desktop: values.desktop ?? false,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
  };
}

/** The text of `--help`. */
export const helpText = `Waypost, a link manager on your own machine.

  waypost [serve] [options]   serve links, API and admin pages until SIGTERM
  waypost seed [options]      fill a data folder with an example account, links and clicks
  waypost edge [options]      answer the links of a fleet near its visitors

  waypost backup              create a backup and verify that it restores
  waypost restore FILE        replace the contents of a data folder with a backup
  waypost check               check all stored data
  waypost user …              list, add and update accounts
  waypost key …               list, add and revoke API keys
  waypost import FILE         create links from the rows of a CSV file
  waypost export              export the links of an account
  waypost fleet config        print a configuration for the engine of a fleet
                              (see --help of each command)

Options (each also as an environment variable, such as WAYPOST_PORT):
  --port PORT                  port to listen on (8420)
  --https-port PORT            port for HTTPS, when certificates are on (none)
  --host HOST                  address to listen on; repeatable (127.0.0.1 and ::1)
  --data DIR                   data folder
  --geo-database FILE          location database with cities (.mmdb), instead of the bundled countries
  --log-level LEVEL            ${logLevels.join(', ')} (info)
  --fleet URL                  use a fleet, with the engine at nats://HOST:4222; several with commas
  --join TOKEN                 edge: the token of POST /api/fleet/edge/add; not needed again later
  --help, --version

Settings (override the settings page; separate lists with commas):
${settingsHelp}

WAYPOST_VAULT_KEY (environment only): 32 bytes in base64 that encrypt secrets, instead of vault.key in the data folder.
WAYPOST_MAIL_PASSWORD (environment only): the password for the mail server, together with --mail-host.
WAYPOST_FLEET_USER, _PASSWORD, _TOKEN, _EDGEUSER, _EDGEPASSWORD, and files in _CREDENTIALS, _SIGNINGKEY, _OPERATORKEY (environment only): who signs in at --fleet.

Exit codes: 0 stopped, 2 invalid options, 3 data folder in use, 4 port in use, 78 database damaged or too new.
`;

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: { ...settingFlags, ...flags }, allowPositionals: true });
  } catch (error) {
    throw new ConfigRefused(`${(error as Error).message} Try --help.`);
  }
}

function commandOf(values: { help?: boolean; version?: boolean }, positionals: string[]): Config['command'] {
  if (values.help) return 'help';
  if (values.version) return 'version';
  const [command = 'serve', ...rest] = positionals;
  if ((command !== 'serve' && command !== 'seed' && command !== 'edge') || rest.length > 0) {
    throw new ConfigRefused(`There is no command "${positionals.join(' ')}". Try --help.`);
  }
  return command;
}

function integer(name: string, text: string, min: number, max: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new ConfigRefused(`--${name} takes a whole number from ${min} to ${max}, not "${text}".`);
}

function oneOf(name: string, text: string, choices: string[]): string {
  if (choices.includes(text)) return text;
  throw new ConfigRefused(`--${name} takes one of ${choices.join(', ')}, not "${text}".`);
}

/** From the environment only: other processes on the machine can read the command line. */
function readVaultKey(environment: NodeJS.ProcessEnv): Buffer | undefined {
  const text = environment.WAYPOST_VAULT_KEY;
  if (!text) return undefined;
  const key = parseVaultKey(text);
  if (!key) throw new ConfigRefused('WAYPOST_VAULT_KEY must be 32 bytes in base64.');
  return key;
}

/** From the environment only, and bound to the server given with it: no other server may receive it. */
function readMailPassword(environment: NodeJS.ProcessEnv, { mail }: PartialSettings): string | undefined {
  const password = environment.WAYPOST_MAIL_PASSWORD || undefined;
  if (password !== undefined && !mail?.host) {
    throw new ConfigRefused('WAYPOST_MAIL_PASSWORD needs --mail-host: name the server that it is for.');
  }
  return password;
}

/** Secrets come from the environment only. Throws for a secret that is given without its NATS server. */
function readFleet(url: string | undefined, environment: NodeJS.ProcessEnv): StartFleet | undefined {
  const of = (name: string) => environment[`WAYPOST_FLEET_${name}`] || undefined;
  const given = {
    ...{ user: of('USER'), password: of('PASSWORD'), token: of('TOKEN') },
    ...{ edgeuser: of('EDGEUSER'), edgepassword: of('EDGEPASSWORD') },
  };
  const files = {
    credentials: of('CREDENTIALS'),
    signingkey: of('SIGNINGKEY'),
    operatorkey: of('OPERATORKEY'),
  };
  const isAny = Object.values({ ...given, ...files }).some((text) => text !== undefined);
  if (url === undefined) {
    if (isAny) throw new ConfigRefused('WAYPOST_FLEET_… needs --fleet: name the engine that it is for.');
    return undefined;
  }
  const read = (name: keyof typeof files): string | undefined => {
    const file = files[name];
    if (file === undefined) return undefined;
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (error) {
      throw new ConfigRefused(`WAYPOST_FLEET_${name.toUpperCase()}: ${(error as Error).message}`);
    }
  };
  const texts = {
    credentials: read('credentials'),
    signingkey: read('signingkey'),
    operatorkey: read('operatorkey'),
  };
  return { url, ...given, ...texts };
}

function defaultDataFolder({ APPDATA, XDG_DATA_HOME }: NodeJS.ProcessEnv): string {
  if (process.platform === 'darwin') return join(home(), 'Library', 'Application Support', 'Waypost', 'data');
  if (process.platform === 'win32') return join(whereAbsolute(APPDATA) ?? home(), 'Waypost', 'data');
  return join(whereAbsolute(XDG_DATA_HOME) ?? join(home(), '.local', 'share'), 'waypost');
}

/**
 * A relative folder counts as not set (XDG base directories, "Basics"): a start from another directory would find no
 * data.
 */
function whereAbsolute(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}

function home(): string {
  const folder = whereAbsolute(homedir());
  if (folder === undefined)
    throw new ConfigRefused('There is no home folder to keep the data in. Name a folder with --data.');
  return folder;
}
