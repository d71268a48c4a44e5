import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { credentialsOf, newEngineKey, userJwt } from '../../network/fleet/claims.ts';
import { cutOffUsers, SignerRefused } from '../../network/fleet/edge-users.ts';
import { EngineFailure, readAddresses } from '../../network/fleet/engine.ts';
import { engineConfig, engineTrust, engineUsers } from '../../network/fleet/engine-config.ts';
import {
  type Command,
  CommandFailed,
  commandCodes,
  readOptions,
  type Terminal,
  wrongOptions,
} from './command.ts';
import { makeTargetFolder } from './target-folder.ts';

const help = `Print a configuration for the engine of a fleet (nats-server), or have the engine let an edge in no more.

  waypost fleet config [options]
  waypost fleet revoke USER --account ACCOUNT --url URL --key FILE

config:
  --servers 1|3   one server, or a cluster of three (1)
  --host NAME     with three servers: name of each, separated by commas
  --tls           listen with TLS; put cert.pem and key.pem beside the configuration
  --out DIR       write the configuration and new keys into this folder, for this user alone;
                  without it the configuration is printed with places to fill in
  --passwords     one user for the origin and one that all edges share, in place of keys

revoke: the page of the fleet shows this command for an edge that was revoked, where no operator key is stored.
  --key FILE      operator.key, which "fleet config" wrote
`;

interface WrittenFile {
  name: string;
  text: string;
}

/** `waypost fleet`: what an administrator needs to run the engine, with least rights. */
export const fleet: Command = {
  help,
  async run(args, terminal) {
    const { values, positionals } = readOptions(
      args,
      {
        servers: { type: 'string' },
        host: { type: 'string' },
        tls: { type: 'boolean' },
        out: { type: 'string' },
        passwords: { type: 'boolean' },
        account: { type: 'string' },
        url: { type: 'string' },
        key: { type: 'string' },
      },
      { least: 1, most: 201 },
    );
    const [name, ...users] = positionals;
    if (name === 'revoke') {
      await revoke(users, values);
      terminal.print('The engine no longer accepts it.');
      return commandCodes.done;
    }
    if (name !== 'config') throw wrongOptions(`There is no command "fleet ${name}".`);
    if (users.length > 0) throw wrongOptions('This command has the wrong arguments.');
    if (values.servers !== undefined && values.servers !== '1' && values.servers !== '3') {
      throw wrongOptions('--servers takes 1 or 3.');
    }
    const servers = values.servers === '3' ? 3 : 1;
    const hosts = (values.host ?? '').split(',').filter(Boolean);
    if (servers === 3 && hosts.length !== 3) {
      throw wrongOptions('Three servers need --host with three names, separated by commas.');
    }
    const secret = () => (values.out === undefined ? '' : randomBytes(24).toString('base64url'));
    const routes = { user: 'route', password: secret() || 'PASSWORD-OF-ROUTES' };
    const { access, files } = await (values.passwords === true
      ? passwordAccess(secret)
      : keyAccess(values.out !== undefined));
    const configs = Array.from({ length: servers }, (_, index) => ({
      name: servers === 1 ? 'nats.conf' : `nats-${index + 1}.conf`,
      text: engineConfig({ access, routes, hosts, index, tls: values.tls === true }),
    }));
    if (values.out === undefined) {
      for (const config of configs) terminal.print(`# ${config.name}\n${config.text}`);
      if (values.passwords !== true)
        terminal.remark('Keys are never printed. Name a folder with --out for them.');
      return commandCodes.done;
    }
    writeAll(values.out, [...configs, ...files], terminal);
    terminal.remark(
      values.passwords === true
        ? 'The passwords are in these files. Start nats-server -c with one, then enter them under Settings, Fleet.'
        : 'Start nats-server -c with the configuration, then paste origin.creds and signing.key under Settings, Fleet. Keep operator.key safe: it controls who can use the engine.',
    );
    return commandCodes.done;
  },
};

/** Who may use an engine with keys. Without a folder for them there are none: what is not kept would be lost. */
async function keyAccess(isWritten: boolean): Promise<{ access: string; files: WrittenFile[] }> {
  if (!isWritten) {
    const access = `operator: OPERATOR-JWT
system_account: SYSTEM-ACCOUNT
resolver { type: full, dir: "/var/lib/nats/accounts", allow_delete: false, interval: "2m" }
resolver_preload {
  SYSTEM-ACCOUNT: SYSTEM-ACCOUNT-JWT
  ACCOUNT: ACCOUNT-JWT
}
`;
    return { access, files: [] };
  }
  const operator = await newEngineKey('operator');
  const system = await newEngineKey('account');
  const account = await newEngineKey('account');
  const signing = await newEngineKey('account');
  const at = Date.now();
  const credentials = async (name: string, of: typeof account) => {
    const { id, seed } = await newEngineKey('user');
    return credentialsOf(userJwt({ name, id, account: of.id, at }, of), seed);
  };
  return {
    access: engineTrust({ operator, system, account, signing, at }),
    files: [
      { name: 'origin.creds', text: await credentials('origin', account) },
      { name: 'signing.key', text: `${signing.seed}\n` },
      {
        name: 'operator.key',
        text: `${await credentials('operator', system)}\n-----BEGIN OPERATOR NKEY SEED-----\n${operator.seed}\n------END OPERATOR NKEY SEED------\n`,
      },
    ],
  };
}

/** Two users of an engine, each with a password. */
async function passwordAccess(secret: () => string): Promise<{ access: string; files: WrittenFile[] }> {
  const users = {
    ...{ user: 'origin', password: secret() || 'PASSWORD-OF-THE-ORIGIN' },
    ...{ edgeuser: 'edge', edgepassword: secret() || 'PASSWORD-OF-EDGES' },
  };
  return { access: engineUsers(users), files: [] };
}

/** Writes files for this user alone: all of them or none, because they belong together. */
function writeAll(folder: string, files: readonly WrittenFile[], terminal: Terminal): void {
  const taken = files.map(({ name }) => join(folder, name)).find((path) => existsSync(path));
  if (taken !== undefined) {
    throw new CommandFailed(commandCodes.failed, `${taken} exists already. Name another folder with --out.`);
  }
  makeTargetFolder(folder);
  for (const { name, text } of files) {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    terminal.print(path);
  }
}

interface RevokeOptions {
  account?: string | undefined;
  url?: string | undefined;
  key?: string | undefined;
}

async function revoke(users: readonly string[], { account, key, url }: RevokeOptions): Promise<void> {
  if (users.length === 0 || users.some((user) => !/^U[A-Z2-7]{55}$/.test(user))) {
    throw wrongOptions('Enter users as the Fleet page shows them; each begins with U.');
  }
  if (account === undefined || url === undefined || key === undefined) {
    throw wrongOptions('This command needs --account, --url and --key.');
  }
  if (!readAddresses(url))
    throw wrongOptions('--url takes addresses such as nats://engine.example.com:4222.');
  try {
    const operatorkey = readFileSync(key, 'utf8');
    await cutOffUsers({ url, operatorkey, account, users, now: Date.now() });
  } catch (error) {
    const isSaid = error instanceof SignerRefused || error instanceof EngineFailure;
    const isFile = (error as NodeJS.ErrnoException).syscall === 'open';
    if (!isSaid && !isFile) throw error;
    throw new CommandFailed(commandCodes.failed, (error as Error).message);
  }
}
