import { fleetSubjects } from './subjects.ts';

/** Streams whose messages edges read. Not that of clicks: they add to it, and see nothing of what others added. */
const readStreams = [
  fleetSubjects.changes.stream,
  fleetSubjects.state.stream,
  `OBJ_${fleetSubjects.snapshots}`,
];

/** Users of an engine, with their passwords. */
interface EngineUsers {
  user: string;
  password: string;
  edgeuser: string;
  edgepassword: string;
}

/**
 * The users of an engine as `nats-server` reads them, with least rights: the origin has the account to itself, and edges may read
 * what they answer from and add clicks, reports and questions.
 */
export function engineUsers({ user, password, edgeuser, edgepassword }: EngineUsers): string {
  const publish = [
    ...['waypost.join', 'waypost.ask', 'waypost.report.*', 'waypost.clicks.*', '$JS.API.INFO'],
    // What limited links have left is counted by all machines together.
    ...[fleetSubjects.limits.all, `$JS.API.STREAM.MSG.GET.${fleetSubjects.limits.stream}`],
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
          subscribe { allow: ["_INBOX_waypost_edge.>"] }
        }
      }
    ]
  }
}
`;
}

interface EngineServer {
  users: EngineUsers;
  /** As whom the servers of a cluster sign in to each other. */
  routes: { user: string; password: string };
  /** Names of all three servers of a cluster; empty for a single one. */
  hosts: readonly string[];
  /** Which of them this is. */
  index: number;
  tls: boolean;
}

/** A whole configuration of `nats-server` for a fleet. */
export function engineConfig({ users, routes, hosts, index, tls }: EngineServer): string {
  const { user, password } = routes;
  const others = hosts.map((host) => `nats-route://${user}:${password}@${host}:6222`);
  const cluster = `cluster {
  name: waypost
  listen: "0.0.0.0:6222"
  authorization { user: ${JSON.stringify(user)}, password: ${JSON.stringify(password)} }
  routes: [${others.map((other) => JSON.stringify(other)).join(', ')}]
}
`;
  return `server_name: waypost-${index + 1}
listen: "0.0.0.0:4222"
jetstream { store_dir: "/var/lib/nats" }
${tls ? 'tls { cert_file: "cert.pem", key_file: "key.pem" }\n' : ''}${hosts.length > 0 ? cluster : ''}${engineUsers(users)}`;
}
