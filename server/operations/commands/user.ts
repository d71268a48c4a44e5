import { randomBytes } from 'node:crypto';
import { email, password, username } from '../../contract/sessions.ts';
import { commandLine, type OpenedApp, withApp } from './app.ts';
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
import { configFor, openForReading, readSecret } from './data-folder.ts';
import { listUsers } from './queries.ts';

const options = {
  data: { type: 'string' },
  email: { type: 'string' },
  name: { type: 'string' },
  'password-file': { type: 'string' },
  admin: { type: 'boolean' },
  off: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof readOptions<typeof options>>['values'];

/** `user`: the accounts of an instance. */
export const user: Command = {
  help: `waypost user list [--data DIR]
waypost user add USERNAME --email EMAIL [--name NAME] [--admin] [--password-file FILE] [--data DIR]
waypost user password USER [--password-file FILE] [--data DIR]
waypost user admin USER [--off] [--data DIR]
waypost user reset-2fa USER [--data DIR]
waypost user remove USER --yes [--data DIR]

USER is a username, an email or an id. All commands but list require the server to be stopped. Without a password file
(- reads standard input), a password is generated and printed. password also turns sign-in by passwords on again where
only single sign-on was left. remove deletes the account with its links and files.
`,
  async run(args, terminal, createApp) {
    const { values, positionals } = readOptions(args, options, { least: 1, most: 2 });
    const [action = '', who] = positionals;
    const config = configFor(values.data);
    if (action === 'list') {
      if (who !== undefined) throw wrongOptions('list takes no user.');
      return list(config.data, terminal);
    }
    const act = actions.get(action);
    if (!act) throw wrongOptions(`There is no "user ${action}".`);
    if (who === undefined) throw wrongOptions(`"user ${action}" needs to know whom.`);
    return withApp(createApp, config, (opened) => act(opened, who, values, terminal));
  },
};

type Action = (opened: OpenedApp, who: string, values: Values, terminal: Terminal) => Promise<CommandCode>;
const actions: ReadonlyMap<string, Action> = new Map([
  ['add', add],
  ['password', setPassword],
  ['admin', setAdmin],
  ['reset-2fa', resetTwoFactor],
  ['remove', remove],
]);

function list(folder: string, terminal: Terminal): CommandCode {
  const database = openForReading(folder);
  try {
    const rows = listUsers(database).map((row) => [
      String(row.id),
      row.username,
      row.email,
      row.admin ? 'admin' : 'user',
      row.active ? 'active' : 'off',
      row.second_factor ? '2fa' : '-',
      String(row.links),
    ]);
    for (const line of table(['ID', 'USERNAME', 'EMAIL', 'ROLE', 'STATE', '2FA', 'LINKS'], rows))
      terminal.print(line);
    return commandCodes.done;
  } finally {
    database.close();
  }
}

async function add(
  { app }: OpenedApp,
  who: string,
  values: Values,
  terminal: Terminal,
): Promise<CommandCode> {
  const { secret, made } = passwordOf(values);
  const name = username.safeParse(who);
  const address = email.safeParse(values.email);
  if (!name.success) throw wrongOptions(firstOf(name.error));
  if (!address.success) throw wrongOptions('--email takes an e-mail address.');
  const registration = {
    username: name.data,
    email: address.data,
    password: secret,
    ...(values.name !== undefined && { name: values.name }),
  };
  const account = await app.services.userAdmin.add(
    registration,
    { admin: values.admin ?? false },
    commandLine,
  );
  terminal.print(`Account ${account.user.username} was created with id ${account.user.id}.`);
  if (made) terminal.print(`Password: ${secret}`);
  return commandCodes.done;
}

async function setPassword({ app, userId }: OpenedApp, who: string, values: Values, terminal: Terminal) {
  const id = userId(who);
  const { secret, made } = passwordOf(values);
  await app.services.userAdmin.update(id, { password: secret }, commandLine);
  terminal.print('The password was changed, and all sessions of the account were ended.');
  // Someone who sets a password on the server wants to sign in with it.
  if (app.services.allowPasswords(commandLine))
    terminal.print('Signing in with a password is allowed again on this instance.');
  if (made) terminal.print(`Password: ${secret}`);
  return commandCodes.done;
}

async function setAdmin({ app, userId }: OpenedApp, who: string, values: Values, terminal: Terminal) {
  const admin = !values.off;
  await app.services.userAdmin.update(userId(who), { admin }, commandLine);
  terminal.print(admin ? `${who} is an administrator.` : `${who} is no longer an administrator.`);
  return commandCodes.done;
}

async function resetTwoFactor({ app, userId }: OpenedApp, who: string, _values: Values, terminal: Terminal) {
  await app.services.userAdmin.update(userId(who), { resetsTwoFactor: true }, commandLine);
  terminal.print(`Two-factor authentication of ${who} is turned off.`);
  return commandCodes.done;
}

async function remove({ app, userId }: OpenedApp, who: string, values: Values, terminal: Terminal) {
  const id = userId(who);
  if (!values.yes) {
    throw new CommandFailed(
      commandCodes.wrong_options,
      `This permanently deletes ${who} with all links and files. Pass --yes to confirm.`,
    );
  }
  await app.services.userAdmin.remove(id, commandLine);
  terminal.print(`${who} was deleted.`);
  return commandCodes.done;
}

/** The password of a file, or a new one. */
function passwordOf(values: Values): { secret: string; made: boolean } {
  const given = readSecret(values['password-file']);
  if (given === undefined) return { secret: randomBytes(12).toString('base64url'), made: true };
  const checked = password.safeParse(given);
  if (!checked.success) throw wrongOptions(firstOf(checked.error));
  return { secret: checked.data, made: false };
}

function firstOf(error: { issues: { message: string }[] }): string {
  return error.issues[0]?.message ?? 'This value is invalid.';
}
