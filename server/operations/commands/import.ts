import { createHash } from 'node:crypto';
import { importConflicts } from '../../contract/import.ts';
import { isComplete, shapeOf, unreadColumns } from '../../contract/import-columns.ts';
import { plannedSoFar } from '../../contract/import-plan.ts';
import { fileRows, type RowFault, slicesOf } from '../../contract/import-rows.ts';
import { oneLine } from '../../platform/text/cut.ts';
import { withApp } from './app.ts';
import { type Command, CommandFailed, commandCodes, readOptions, wrongOptions } from './command.ts';
import { configFor } from './data-folder.ts';
import { readCsvFile } from './read-csv.ts';

/** Why a row was not even tried. */
const faultSentences: Record<RowFault, string> = {
  no_url: 'This row has no URL.',
  url_too_long: 'The URL is too long.',
  alias_too_long: 'The alias is too long.',
  title_too_long: 'The title is too long.',
  broken_settings: 'The settings of this row cannot be read. Export the link again, or leave the cell empty.',
  unclosed_quote: 'A quote that begins here is never closed, so the rest of the file cannot be read.',
};

/** Characters of a name in the file that are shown, and the number of names. */
const mostOfName = 100;
const mostNames = 50;

function namesOf(columns: readonly string[]): string {
  const shown = columns.slice(0, mostNames).map((name) => oneLine(name, mostOfName));
  const left = columns.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ');
}

/** `import`: links from a CSV file, as the import page reads it. */
export const importCommand: Command = {
  help: `waypost import FILE --user USER [--conflict skip|rename|replace] [--other-domain DOMAIN]
               [--base-url URL] [--port PORT] [--dry-run] [--data DIR]

Creates links from the rows of a CSV file (- reads standard input) of this or another service; columns are found by
name. The server must be stopped. Importing the same file again creates no duplicates. Prints the outcome of the rows;
exits with 1 when a row could not be imported.

  --user USER     account that gets the links: a username, email or id
  --conflict      what to do when another destination has the alias (skip)
  --other-domain DOMAIN
                  where rows go whose domain the account does not have: one of its domains, such as go.example.com,
                  or the URL of this instance; without it, these rows are not imported
  --base-url URL  public base URL of short links; overrides the settings page, as in "serve"
  --port PORT     port of the server, for its URL without a public one (8420)
  --dry-run       report what would happen and change nothing
`,
  async run(args, terminal, createApp) {
    const { values, positionals } = readOptions(
      args,
      {
        data: { type: 'string' },
        user: { type: 'string' },
        conflict: { type: 'string' },
        'other-domain': { type: 'string' },
        'base-url': { type: 'string' },
        port: { type: 'string' },
        'dry-run': { type: 'boolean' },
      },
      { least: 1, most: 1 },
    );
    const { user } = values;
    if (user === undefined) throw wrongOptions('"import" needs --user.');
    const conflict = importConflicts.find((known) => known === (values.conflict ?? 'skip'));
    if (!conflict) throw wrongOptions(`--conflict takes one of ${importConflicts.join(', ')}.`);
    const table = readCsvFile(positionals[0] ?? '');
    const shape = shapeOf(table);
    if (!isComplete(shape.mapping)) {
      throw new CommandFailed(commandCodes.failed, 'No column of this file contains destination URLs.');
    }
    // A command that was killed is run again with the same file, and then knows the rows without an alias by this.
    const fileId = createHash('sha256').update(JSON.stringify(table.records)).digest('hex').slice(0, 32);
    const dryrun = values['dry-run'] ?? false;
    const otherdomain = values['other-domain'];
    const config = configFor(values.data, { port: values.port, 'base-url': values['base-url'] });
    return withApp(createApp, config, async ({ app, userId }) => {
      const account = app.services.userAdmin.get(userId(user));
      if (otherdomain !== undefined && !app.services.imports.hasDomain(account, otherdomain)) {
        const message = `${otherdomain} is neither a domain of ${account.user.username} nor the URL of this instance.`;
        throw new CommandFailed(commandCodes.failed, `--other-domain: ${message}`);
      }
      const unread = unreadColumns(shape, shape.mapping);
      if (unread.length > 0) terminal.remark(`Columns that are not imported: ${namesOf(unread)}`);
      const rows = fileRows(table, shape, shape.mapping, account.user.timezone);
      const counts = new Map<string, number>();
      const count = (outcome: string) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      for (const { line, fault } of rows) {
        if (!fault) continue;
        count('problem');
        terminal.remark(`line ${line}: ${faultSentences[fault]}`);
      }
      const plan = plannedSoFar();
      let isElsewhereFound = false;
      for (const slice of slicesOf(rows.filter(({ fault }) => !fault))) {
        const made = await app.services.imports.run(account, {
          rows: slice.map(({ row, line }) => ({ ...row, token: `${fileId}-${line}` })),
          conflict,
          ...(otherdomain !== undefined && { otherdomain }),
          dryrun,
          ...(dryrun && { planned: plan.beside(slice.map(({ row }) => row)) }),
        });
        const results = made.rows;
        plan.note(results, made);
        results.forEach(({ outcome, code, message }, index) => {
          count(outcome);
          const { line = 0, row } = slice[index] ?? {};
          const elsewhere = code === 'unknown_domain' ? row?.domain : undefined;
          isElsewhereFound ||= elsewhere !== undefined;
          const told =
            elsewhere === undefined
              ? message
              : `${oneLine(elsewhere, mostOfName)} is not a domain of ${account.user.username}.`;
          if (told) terminal.remark(`line ${line}: ${told}`);
        });
      }
      for (const [outcome, number] of counts) terminal.print(`${outcome} ${number}`);
      if (isElsewhereFound) {
        terminal.remark(
          'Rows on domains that the account does not have were left out. --other-domain imports them to another.',
        );
      }
      if (dryrun) terminal.remark('Nothing was changed.');
      return counts.has('problem') ? commandCodes.failed : commandCodes.done;
    });
  },
};
