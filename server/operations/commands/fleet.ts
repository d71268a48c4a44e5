import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineConfig } from '../../network/fleet/engine-config.ts';
import { type Command, CommandFailed, commandCodes, readOptions, wrongOptions } from './command.ts';
import { makeTargetFolder } from './target-folder.ts';

const help = `Print a configuration for the engine of a fleet (nats-server), with a user for the origin and one for edges.

  waypost fleet config [options]

  --servers 1|3   one server, or a cluster of three (1)
  --host NAME     with three servers: name of each, separated by commas
  --tls           listen with TLS; put cert.pem and key.pem beside the configuration
  --out DIR       write the configuration and new passwords into this folder, for this user alone;
                  without it the configuration is printed with places to fill in
`;

/** `waypost fleet config`: what an administrator needs to run the engine, with least rights. */
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
      },
      { least: 1, most: 1 },
    );
    if (positionals[0] !== 'config') throw wrongOptions(`There is no command "fleet ${positionals[0]}".`);
    if (values.servers !== undefined && values.servers !== '1' && values.servers !== '3') {
      throw wrongOptions('--servers takes 1 or 3.');
    }
    const servers = values.servers === '3' ? 3 : 1;
    const hosts = (values.host ?? '').split(',').filter(Boolean);
    if (servers === 3 && hosts.length !== 3) {
      throw wrongOptions('Three servers need --host with three names, separated by commas.');
    }
    const secret = () => (values.out === undefined ? '' : randomBytes(24).toString('base64url'));
    const users = {
      ...{ user: 'origin', password: secret() || 'PASSWORD-OF-THE-ORIGIN' },
      ...{ edgeuser: 'edge', edgepassword: secret() || 'PASSWORD-OF-EDGES' },
    };
    const routes = { user: 'route', password: secret() || 'PASSWORD-OF-ROUTES' };
    const written = Array.from({ length: servers }, (_, index) => ({
      name: servers === 1 ? 'nats.conf' : `nats-${index + 1}.conf`,
      text: engineConfig({ users, routes, hosts, index, tls: values.tls === true }),
    }));
    if (values.out === undefined) {
      for (const { name, text } of written) terminal.print(`# ${name}\n${text}`);
      return commandCodes.done;
    }
    const folder = values.out;
    const paths = written.map(({ name }) => join(folder, name));
    // All of them before the first is written: the servers of a cluster share their passwords.
    const taken = paths.find((path) => existsSync(path));
    if (taken !== undefined) {
      throw new CommandFailed(
        commandCodes.failed,
        `${taken} exists already. Name another folder with --out.`,
      );
    }
    makeTargetFolder(folder);
    for (const [index, path] of paths.entries()) {
      writeFileSync(path, written[index]?.text ?? '', { mode: 0o600, flag: 'wx' });
      terminal.print(path);
    }
    terminal.remark(
      'The passwords are in these files. Start nats-server -c with one, then send them to /api/fleet/update.',
    );
    return commandCodes.done;
  },
};
