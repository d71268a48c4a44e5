import { accountJwt, type EngineKey, operatorJwt, type Rights } from './claims.ts';
import { edgeInbox, fleetSubjects } from './subjects.ts';

/** Streams whose messages edges read. Not that of clicks: they add to it, and see nothing of what others added. */
const readStreams = [
  fleetSubjects.changes.stream,
  fleetSubjects.state.stream,
  `OBJ_${fleetSubjects.snapshots}`,
  fleetSubjects.files.stream,
];

/** Users of an engine, with their passwords. */
interface EngineUsers {
  user: string;
  password: string;
  edgeuser: string;
  edgepassword: string;
}

/**
 * The permissions of edges at the engine: read what they serve from, and add clicks, reports and requests. With an id,
 * those of this edge only.
 */
export function edgeRights(id?: number): Rights {
  const own = id ?? '*';
  const publish = [
    ...[
      fleetSubjects.join,
      fleetSubjects.ask,
      fleetSubjects.files.ask,
      `waypost.report.${own}`,
      `waypost.clicks.${own}`,
      '$JS.API.INFO',
    ],
    // What limited links have left is counted by all machines together.
    ...[fleetSubjects.limits.counts, `$JS.API.STREAM.MSG.GET.${fleetSubjects.limits.stream}`],
    ...readStreams.flatMap((stream) => [
      ...[
        `$JS.API.STREAM.INFO.${stream}`,
        `$JS.API.STREAM.MSG.GET.${stream}`,
        `$JS.API.DIRECT.GET.${stream}.>`,
      ],
      ...[`$JS.API.CONSUMER.CREATE.${stream}`, `$JS.API.CONSUMER.CREATE.${stream}.>`],
      ...['INFO', 'DELETE', 'MSG.NEXT'].map((act) => `$JS.API.CONSUMER.${act}.${stream}.>`),
      `$JS.ACK.${stream}.>`,
    ]),
  ];
  return { publish, subscribe: [`${edgeInbox(id)}.>`] };
}

/** The permissions of a join token's holder: ask to join, and receive the reply. */
export const joinRights = (id: number): Rights => ({
  publish: [fleetSubjects.join],
  subscribe: [`${edgeInbox(id)}.>`],
});

/**
 * The users of an engine as `nats-server` reads them, with least rights: the origin has the account to itself, and all
 * edges share a user.
 */
export function engineUsers({ user, password, edgeuser, edgepassword }: EngineUsers): string {
  const { publish, subscribe } = edgeRights();
  const list = (subjects: readonly string[]) => subjects.map((subject) => JSON.stringify(subject)).join(', ');
  return `accounts {
  waypost {
    jetstream: enabled
    users: [
      { user: ${JSON.stringify(user)}, password: ${JSON.stringify(password)} }
      {
        user: ${JSON.stringify(edgeuser)}, password: ${JSON.stringify(edgepassword)}
        permissions {
          publish { allow: [${list(publish)}] }
          subscribe { allow: [${list(subscribe)}] }
        }
      }
    ]
  }
}
`;
}

/** Whom an engine with keys obeys, and the keys of its accounts. */
interface EngineTrust {
  operator: EngineKey;
  /** The system account, through which account updates are published. */
  system: EngineKey;
  account: EngineKey;
  /** Signs the users of edges. */
  signing: EngineKey;
  at: number;
}

/** The same with separate permissions for each edge: it contains no secret, and users can be revoked. */
export function engineTrust({ operator, system, account, signing, at }: EngineTrust): string {
  const shared = { name: 'waypost', account, signingKeys: [signing], keepsStreams: true, at };
  const systemAccount = { name: 'SYS', account: system, signingKeys: [], keepsStreams: false, at };
  return `operator: "${operatorJwt(operator, system, at)}"
system_account: "${system.id}"
resolver { type: full, dir: "/var/lib/nats/accounts", allow_delete: false, interval: "2m" }
resolver_preload {
  ${system.id}: "${accountJwt(systemAccount, operator)}"
  ${account.id}: "${accountJwt(shared, operator)}"
}
`;
}

interface EngineServer {
  /** Who may use it: what `engineUsers` or `engineTrust` wrote. */
  access: string;
  /** As whom the servers of a cluster sign in to each other. */
  routes: { user: string; password: string };
  /** Names of all three servers of a cluster; empty for a single one. */
  hosts: readonly string[];
  /** Which of them this is. */
  index: number;
  tls: boolean;
}

/** A whole configuration of `nats-server` for a fleet. */
export function engineConfig({ access, routes, hosts, index, tls }: EngineServer): string {
  const { user, password } = routes;
  const others = hosts.map((host) => `nats-route://${user}:${password}@${host}:6222`);
  // As one address each: clients derive the number of servers from these, and a machine has several addresses.
  const cluster = `client_advertise: "${hosts[index]}:4222"
cluster {
  name: waypost
  listen: "0.0.0.0:6222"
  authorization { user: ${JSON.stringify(user)}, password: ${JSON.stringify(password)} }
  routes: [${others.map((other) => JSON.stringify(other)).join(', ')}]
}
`;
  return `server_name: waypost-${index + 1}
listen: "0.0.0.0:4222"
jetstream { store_dir: "/var/lib/nats" }
${tls ? 'tls { cert_file: "cert.pem", key_file: "key.pem" }\n' : ''}${hosts.length > 0 ? cluster : ''}${access}`;
}
