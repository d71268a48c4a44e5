import { createSocket, type RemoteInfo } from 'node:dgram';
import dns2 from 'dns2';

const { Packet } = dns2;

/** The responses for one host. Without any of these: no such name. */
export interface Behavior {
  A?: string[];
  AAAA?: string[];
  CNAME?: string;
  TXT?: string[];
  /** Starts a zone: queries for its SOA record are answered. */
  zone?: boolean;
  /** Answers with this response code, such as SERVFAIL (2) or REFUSED (5). */
  code?: number;
  /** Gives no answer at all. */
  silent?: boolean;
  /** Raw bytes instead of a response; the query's id stays at their start. */
  garbage?: Buffer;
  /** Answers that the rest is to be asked for over TCP (RFC 1035, section 4.1.1), where nobody listens. */
  truncated?: boolean;
  /** Waits this long before it answers. */
  delayMs?: number;
  /** Answers once this resolves. */
  after?: Promise<unknown>;
}

export interface NameServer {
  /** `address:port`, for the setting dnsServers. */
  address: string;
  /** What a host resolves to; a function is called for each query. */
  hosts: Map<string, Behavior | ((asked: number) => Behavior)>;
  /** Questions so far, `HOST TYPE`. */
  questions: string[];
  close(): Promise<void>;
}

/** A name server on loopback whose responses the test controls, including hostile ones; packets by npm dns2. */
export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4');
  const hosts: NameServer['hosts'] = new Map();
  const questions: string[] = [];
  const asked = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  let isClosed = false;
  socket.on('message', (message, peer) => {
    const request = Packet.parse(message);
    const [question] = request.questions;
    if (!question) return;
    const host = question.name.toLowerCase();
    const type = Packet.typeName(Number(question.type));
    questions.push(`${host} ${type}`);
    const count = (asked.get(host) ?? 0) + 1;
    asked.set(host, count);
    const known = hosts.get(host);
    const behavior = typeof known === 'function' ? known(count) : (known ?? { code: 3 });
    if (behavior.silent) return;
    const answer = behavior.garbage
      ? Buffer.concat([message.subarray(0, 2), behavior.garbage])
      : answerTo(request, host, type, behavior);
    if (behavior.after) void behavior.after.then(() => send(answer, peer));
    else if (behavior.delayMs === undefined) send(answer, peer);
    else timers.add(setTimeout(() => send(answer, peer), behavior.delayMs));
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });

  function send(answer: Buffer, { port, address }: RemoteInfo): void {
    if (!isClosed) socket.send(answer, port, address);
  }

  return {
    address: `127.0.0.1:${socket.address().port}`,
    hosts,
    questions,
    close: () =>
      new Promise((resolve) => {
        isClosed = true;
        for (const timer of timers) clearTimeout(timer);
        socket.close(() => resolve());
      }),
  };
}

function answerTo(
  request: InstanceType<typeof Packet>,
  name: string,
  type: string,
  behavior: Behavior,
): Buffer {
  const response = Packet.createResponseFromRequest(request);
  if (behavior.code !== undefined) {
    Object.assign(response.header, { rcode: behavior.code });
    return response.toBuffer();
  }
  if (behavior.truncated) {
    Object.assign(response.header, { tc: 1 });
    return response.toBuffer();
  }
  const shared = { name, class: Packet.CLASS.IN, ttl: 1 };
  const answers: object[] = [];
  if (behavior.CNAME !== undefined) {
    answers.push({ ...shared, type: Packet.TYPE.CNAME, domain: behavior.CNAME });
  } else if (type === 'A') {
    for (const address of behavior.A ?? []) answers.push({ ...shared, type: Packet.TYPE.A, address });
  } else if (type === 'AAAA') {
    for (const address of behavior.AAAA ?? []) answers.push({ ...shared, type: Packet.TYPE.AAAA, address });
  }
  if (type === 'TXT') {
    for (const data of behavior.TXT ?? []) answers.push({ ...shared, type: Packet.TYPE.TXT, data });
  }
  if (behavior.zone && type === 'SOA') {
    const times = { serial: 1, refresh: 3600, retry: 600, expiration: 86_400, minimum: 60 };
    const soa = { primary: `ns.${name}`, admin: `admin.${name}`, ...times };
    answers.push({ ...shared, type: Packet.TYPE.SOA, ...soa });
  }
  // dns2's types want every field of every record type.
  response.answers.push(...(answers as typeof response.answers));
  return response.toBuffer();
}
