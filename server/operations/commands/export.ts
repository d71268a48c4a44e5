import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { csvHeading, csvLineOf } from '../../content/links/export.ts';
import type { ExportedLinkRow } from '../../content/links/queries.ts';
import { presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import { getUserId } from './app.ts';
import { type Command, CommandFailed, commandCodes, readOptions, wrongOptions } from './command.ts';
import { configFor, openForReading } from './data-folder.ts';
import { exportedLinks } from './queries.ts';
import { storedState } from './stored-settings.ts';

/** `export`: the links of an account, in a form that `import` reads. */
export const exportCommand: Command = {
  help: `waypost export --user USER [--format csv|json] [--to FILE] [--base-url URL] [--port PORT] [--data DIR]

Exports the links of an account, except those in the trash, to standard output or a new file. The server may keep
running. "waypost import" and the import page read the CSV form. Timestamps are UTC.

  --user USER     account: a username, email or id
  --base-url URL  public base URL of short links; overrides the settings page, as in "serve"
  --port PORT     port of the server, for short links without a public URL (8420)
`,
  async run(args, terminal) {
    const { values } = readOptions(
      args,
      {
        data: { type: 'string' },
        user: { type: 'string' },
        format: { type: 'string' },
        to: { type: 'string' },
        'base-url': { type: 'string' },
        port: { type: 'string' },
      },
      { least: 0, most: 0 },
    );
    const { user, format = 'csv' } = values;
    if (user === undefined) throw wrongOptions('"export" needs --user.');
    if (format !== 'csv' && format !== 'json') throw wrongOptions('--format takes csv or json.');
    const config = configFor(values.data, { port: values.port, 'base-url': values['base-url'] });
    const target = values.to === undefined ? undefined : resolve(values.to);
    if (target !== undefined && existsSync(target)) {
      throw new CommandFailed(commandCodes.failed, `${target} is there already.`);
    }
    const database = openForReading(config.data);
    const draft = target === undefined ? undefined : `${target}.partial`;
    if (draft !== undefined) rmSync(draft, { force: true });
    const descriptor = draft === undefined ? 1 : openSync(draft, 'wx', 0o600);
    let links = 0;
    try {
      const id = getUserId(database, user);
      const settings = storedState.settings(database, config.settings);
      const base = settings.baseUrl ?? `http://localhost:${config.port}`;
      const context = { timezone: 'UTC', baseUrl: base, now: Date.now() };
      if (format === 'csv') writeAll(descriptor, csvHeading());
      else writeAll(descriptor, '[');
      // Row by row: an account may have more links than fit into memory.
      for (const link of exportedLinks(database, id)) {
        writeAll(
          descriptor,
          format === 'csv'
            ? csvLineOf(link, context)
            : `${links > 0 ? ',' : ''}\n${jsonOf(link, shortUrl(link, base))}`,
        );
        links += 1;
      }
      if (format === 'json') writeAll(descriptor, '\n]\n');
      if (draft !== undefined && target !== undefined) {
        fsyncSync(descriptor);
        renameSync(draft, target);
      }
    } finally {
      if (draft !== undefined) {
        closeSync(descriptor);
        // Of an export that failed; else it has its name.
        rmSync(draft, { force: true });
      }
      database.close();
    }
    if (target !== undefined) terminal.print(`${links} links are in ${target}.`);
    return commandCodes.done;
  },
};

function jsonOf(link: ExportedLinkRow, shorturl: string): string {
  const { id, url, alias, title, description, note, clicks, status } = link;
  return JSON.stringify({
    id,
    longurl: url,
    alias,
    shorturl,
    domain: link.host,
    title,
    description,
    note,
    campaign: link.campaign_name,
    channels: JSON.parse(link.channel_names) as string[],
    clicks,
    uniqueclicks: link.unique_clicks,
    status,
    archived: link.archived === 1,
    expiry: presentOptional(link.expires_at, 'UTC'),
    date: presentTimestamp(link.created_at, 'UTC'),
  });
}

/** Writes all of it, also into a pipe that takes a part at a time. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      // A pipe that is full; whoever reads it makes room.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
