import { keyScopes } from '../../contract/keys.ts';
import { Refusal } from '../../platform/errors.ts';
import { parseTimestamp } from '../../platform/http/timestamps.ts';
import { commandLine, getUserId, withApp } from './app.ts';
import {
  type Command,
  type CommandCode,
  CommandFailed,
  commandCodes,
  readOptions,
  type Terminal,
  table,
  wrongOptions,
} from './command.ts';
import { configFor, openForReading } from './data-folder.ts';
import { listKeys } from './queries.ts';

const options = {
  data: { type: 'string' },
  user: { type: 'string' },
  name: { type: 'string' },
  scopes: { type: 'string' },
  expires: { type: 'string' },
} as const;

/** `key`: API keys. */
export const key: Command = {
  help: `waypost key list [--user USER] [--data DIR]
waypost key add --user USER --name NAME [--scopes full|links:read,stats:read,…] [--expires YYYY-MM-DD] [--data DIR]
waypost key revoke ID [--data DIR]

add prints the key once. add and revoke require the server to be stopped.
`,
  async run(args, terminal, createApp) {
    const { values, positionals } = readOptions(args, options, { least: 1, most: 2 });
    const [action = '', id] = positionals;
    const config = configFor(values.data);
    if (action === 'list' && id === undefined) return list(config.data, values.user, terminal);
    if (action === 'add' && id === undefined) {
      const { user, name } = values;
      if (user === undefined || !name?.trim()) throw wrongOptions('"key add" needs --user and --name.');
      const scopes = readScopeList(values.scopes);
      return withApp(createApp, config, async ({ app, userId }) => {
        const owner = app.services.userAdmin.get(userId(user));
        const expiresAt = readExpiry(values.expires, owner.user.timezone);
        const { secret } = app.services.addKey(
          owner.user.id,
          { name: name.trim().slice(0, 120), scopes, ratelimit: null, expiresAt },
          commandLine,
        );
        terminal.print(secret);
        return commandCodes.done;
      });
    }
    if (action === 'revoke' && id !== undefined) {
      if (!/^[1-9]\d{0,15}$/.test(id)) throw wrongOptions(`"${id}" is not the id of a key.`);
      return withApp(createApp, config, async ({ app }) => {
        if (!app.services.revokeKey(Number(id), commandLine)) {
          throw new CommandFailed(commandCodes.failed, `API key ${id} not found.`);
        }
        terminal.print(`Key ${id} was revoked.`);
        return commandCodes.done;
      });
    }
    throw wrongOptions(`There is no "key ${positionals.join(' ')}".`);
  },
};

function list(folder: string, user: string | undefined, terminal: Terminal): CommandCode {
  const database = openForReading(folder);
  try {
    const owner = user === undefined ? null : getUserId(database, user);
    const rows = listKeys(database, owner).map((row) => [
      String(row.id),
      row.username,
      row.kind,
      `${row.prefix}…`,
      row.expires_at === null ? '-' : new Date(row.expires_at).toISOString().slice(0, 10),
      row.last_used_at === null ? '-' : new Date(row.last_used_at).toISOString().slice(0, 10),
      row.scopes === 'full' ? 'full' : (JSON.parse(row.scopes) as string[]).join(','),
      row.name,
    ]);
    for (const line of table(['ID', 'USER', 'KIND', 'KEY', 'EXPIRES', 'USED', 'SCOPES', 'NAME'], rows)) {
      terminal.print(line);
    }
    return commandCodes.done;
  } finally {
    database.close();
  }
}

/** When a key ends, in UTC milliseconds; null for never. */
function readExpiry(text: string | undefined, timezone: string): number | null {
  if (text === undefined) return null;
  let at: number;
  try {
    at = parseTimestamp(text, timezone, 'end', 'expires');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw wrongOptions(`--expires takes a date such as 2030-12-31, not "${text}".`);
  }
  if (at <= Date.now()) throw wrongOptions('--expires lies in the past.');
  return at;
}

/** The stored form of scopes: `full`, or a JSON list. */
function readScopeList(text: string | undefined): string {
  if (text === undefined || text === 'full') return 'full';
  const scopes = keyScopes.safeParse(text.split(',').map((scope) => scope.trim()));
  if (!scopes.success || scopes.data === 'full')
    throw wrongOptions('--scopes takes full or a list such as links:read,stats:read.');
  return JSON.stringify([...new Set(scopes.data)].sort());
}
