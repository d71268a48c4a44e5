import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isRange } from './http/addresses.ts';

/** Everything that a start can be told, from the command line or a `WAYPOST_…` variable; the command line wins. */
export interface Config {
  command: 'serve' | 'seed' | 'help' | 'version';
  port: number;
  /** Addresses to listen on; the loopback ones unless told otherwise. */
  hosts: string[];
  /** The data folder. */
  data: string;
  /** The public address of the instance, without a trailing slash; undefined for the one that is listened on. */
  baseUrl: string | undefined;
  /** Requests a minute of an API key (contract: 30). */
  ratelimit: number;
  /** Addresses and ranges of proxies whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  /** Visits from these addresses and ranges are not counted. */
  uncountedAddresses: string[];
  logLevel: string;
  /** Started by the desktop app: takes the next free port when the wanted one is taken. */
  desktop: boolean;
  /** Time zone of the instance and of new accounts. */
  timezone: string;
}

/** A start that was told something it cannot do; the message is for the person at the terminal. */
export class ConfigRefused extends Error {}

const flags = {
  port: { type: 'string' },
  host: { type: 'string', multiple: true },
  data: { type: 'string' },
  'base-url': { type: 'string' },
  ratelimit: { type: 'string' },
  'trusted-proxies': { type: 'string' },
  'uncounted-addresses': { type: 'string' },
  'log-level': { type: 'string' },
  desktop: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'];

/**
 * Reads the configuration. Throws ConfigRefused with a sentence that names the option at fault.
 * This is the only place of the server that reads the environment.
 */
export function readConfig(args: string[], environment: NodeJS.ProcessEnv = process.env): Config {
  const { values, positionals } = parse(args);
  const value = (name: keyof typeof flags): string | undefined => {
    const given = values[name];
    if (typeof given === 'string') return given;
    return environment[`WAYPOST_${name.toUpperCase().replaceAll('-', '_')}`] || undefined;
  };
  const list = (name: keyof typeof flags) =>
    (value(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean);
  const hosts = values.host ?? list('host');
  return {
    command: commandOf(values, positionals),
    port: integer('port', value('port') ?? '8420', 0, 65_535),
    hosts: hosts.length > 0 ? hosts : ['127.0.0.1', '::1'],
    data: value('data') ?? defaultDataFolder(environment),
    baseUrl: readBaseUrl(value('base-url')),
    ratelimit: integer('ratelimit', value('ratelimit') ?? '30', 1, 1_000_000),
    trustedProxies: ranges('trusted-proxies', list('trusted-proxies')),
    uncountedAddresses: ranges('uncounted-addresses', list('uncounted-addresses')),
    logLevel: oneOf('log-level', value('log-level') ?? 'info', logLevels),
    desktop: values.desktop ?? false,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
  };
}

/** The text of `--help`. */
export const helpText = `Waypost, a link manager on your own machine.

  waypost [serve] [options]   serve links, API and admin pages until SIGTERM
  waypost seed [options]      fill a data folder with an example account, links and clicks

Options (each also as a variable, such as WAYPOST_PORT):
  --port PORT                  port to listen on (8420)
  --host HOST                  address to listen on, may be repeated (127.0.0.1 and ::1)
  --data DIR                   data folder
  --base-url URL               public address of the instance, such as https://go.example.com
  --ratelimit N                requests a minute of an API key (30)
  --trusted-proxies LIST       addresses or ranges whose X-Forwarded-For is believed
  --uncounted-addresses LIST   addresses or ranges whose visits are not counted
  --log-level LEVEL            ${logLevels.join(', ')} (info)
  --help, --version

Exit codes: 0 stopped, 2 wrong options, 3 data folder in use, 4 port taken, 78 database damaged or too new.
`;

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: flags, allowPositionals: true });
  } catch (error) {
    throw new ConfigRefused(`${(error as Error).message} Try --help.`);
  }
}

function commandOf(values: { help?: boolean; version?: boolean }, positionals: string[]): Config['command'] {
  if (values.help) return 'help';
  if (values.version) return 'version';
  const [command = 'serve', ...rest] = positionals;
  if ((command !== 'serve' && command !== 'seed') || rest.length > 0) {
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

function ranges(name: string, entries: string[]): string[] {
  const wrong = entries.find((entry) => !isRange(entry));
  if (wrong === undefined) return entries;
  throw new ConfigRefused(`--${name} takes addresses or ranges such as 10.0.0.0/8, not "${wrong}".`);
}

function readBaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username;
  if (plain) return url.origin;
  throw new ConfigRefused(`--base-url takes an address such as https://go.example.com, not "${text}".`);
}

function defaultDataFolder(environment: NodeJS.ProcessEnv): string {
  if (process.platform === 'darwin')
    return join(homedir(), 'Library', 'Application Support', 'Waypost', 'data');
  if (process.platform === 'win32') return join(environment.APPDATA ?? homedir(), 'Waypost', 'data');
  return join(environment.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'waypost');
}
