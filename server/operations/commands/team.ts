import { type Role, roles } from '../../contract/roles.ts';
import { teamName } from '../../contract/teams.ts';
import { teamQueries } from '../../identity/teams/queries.ts';
import { commandLine, type OpenedApp, withApp } from './app.ts';
import {
  type Command,
  type CommandCode,
  commandCodes,
  readOptions,
  type Terminal,
  table,
  wrongOptions,
} from './command.ts';
import { configFor, openForReading } from './data-folder.ts';

const options = {
  data: { type: 'string' },
  owner: { type: 'string' },
  role: { type: 'string' },
  'own-only': { type: 'boolean' },
  remove: { type: 'boolean' },
} as const;

/** Who is at the server is a member of nothing. */
const nobody = 0;
const everyRow = { limit: -1, offset: 0 };

type Values = ReturnType<typeof readOptions<typeof options>>['values'];

/** `team`: the teams of an instance and their members. */
export const team: Command = {
  help: `waypost team list [--data DIR]
waypost team add NAME --owner USER [--data DIR]
waypost team member TEAM USER --role viewer|contributor|editor|admin [--own-only] [--data DIR]
waypost team member TEAM USER --remove [--data DIR]

TEAM is an id, USER a username, an email or an id. add and member require the server to be stopped. member lets somebody
in or changes their role; own-only limits viewers and contributors to what they create. A team's owner changes by a
transfer in the app.
`,
  async run(args, terminal, createApp) {
    const { values, positionals } = readOptions(args, options, { least: 1, most: 3 });
    const [action, first, second] = positionals;
    const config = configFor(values.data);
    if (action === 'list' && first === undefined) return list(config.data, terminal);
    if (action === 'add' && first !== undefined && second === undefined) {
      return withApp(createApp, config, async (opened) => add(opened, first, values, terminal));
    }
    if (action === 'member' && first !== undefined && second !== undefined) {
      return withApp(createApp, config, async (opened) => setMember(opened, first, second, values, terminal));
    }
    throw wrongOptions(`There is no "team ${positionals.join(' ')}".`);
  },
};

function list(folder: string, terminal: Terminal): CommandCode {
  const database = openForReading(folder);
  try {
    const rows = teamQueries(database)
      .all(nobody, everyRow)
      .map(({ id, name, owner_username: owner, members }) => [String(id), owner, String(members), name])
      .reverse();
    for (const line of table(['ID', 'OWNER', 'MEMBERS', 'NAME'], rows)) terminal.print(line);
    return commandCodes.done;
  } finally {
    database.close();
  }
}

function add({ app, userId }: OpenedApp, name: string, { owner }: Values, terminal: Terminal): CommandCode {
  if (owner === undefined) throw wrongOptions('"team add" needs --owner.');
  const checked = teamName.safeParse(name);
  if (!checked.success) throw wrongOptions(checked.error.issues[0]?.message ?? 'This name is invalid.');
  const account = app.services.userAdmin.get(userId(owner));
  const id = app.services.teams.found(account, checked.data, commandLine);
  terminal.print(`Team ${checked.data} was created with id ${id}.`);
  return commandCodes.done;
}

function setMember(
  { app, userId }: OpenedApp,
  teamId: string,
  who: string,
  values: Values,
  terminal: Terminal,
): CommandCode {
  if (!/^[1-9]\d{0,14}$/.test(teamId)) throw wrongOptions(`"${teamId}" is not the id of a team.`);
  const { user } = app.services.userAdmin.get(userId(who));
  if (values.remove) {
    app.services.teams.dropMember(Number(teamId), user.id, commandLine);
    terminal.print(`${user.username} is no longer in the team.`);
    return commandCodes.done;
  }
  const role = roles.find((each): each is Role => each === values.role);
  if (role === undefined) throw wrongOptions('"team member" needs --role, or --remove.');
  app.services.teams.setMember(Number(teamId), user.id, role, values['own-only'] ?? false, commandLine);
  terminal.print(`${user.username} is in the team as ${role}.`);
  return commandCodes.done;
}
