import { lookup } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { createTransport } from 'nodemailer';
import { answerQuestions } from '../concurrency/worker-call.ts';
import type { Failure, FailureKind, MailServer, Outcome, Submission } from './submission.ts';

/** The maximum size of a server's output, in total and per reply: mail servers send a few kilobytes. */
const mostBytes = 1_000_000;
const mostOfAnswer = 20_000;
const connectMs = 10_000;
/** How often received bytes are checked. Milliseconds. */
const lookMs = 20;

/** A failure detected here, with its kind; all others have nodemailer's codes. */
class Found extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

async function submit({ server, mail, totalMs }: Submission): Promise<Outcome> {
  const { signal, end } = deadline(totalMs);
  try {
    const socket = await connected(server, signal);
    const guard = setInterval(() => {
      if (socket.bytesRead > mostBytes) socket.destroy(new Found('refused', 'it says too much'));
    }, lookMs);
    signal.addEventListener('abort', () => socket.destroy(new Found('timeout', 'it took too long')));
    try {
      await send(socket, server, mail);
      return {};
    } catch (error) {
      if (signal.aborted) throw new Found('timeout', 'it took too long');
      throw error;
    } finally {
      clearInterval(guard);
      socket.destroy();
    }
  } catch (error) {
    return { failure: failureOf(error) };
  } finally {
    end();
  }
}

function deadline(totalMs: number) {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), totalMs);
  return { signal: ending.signal, end: () => clearTimeout(timer) };
}

/** A connection to one of the host's addresses, which are checked first. */
async function connected({ host, port, security }: MailServer, signal: AbortSignal): Promise<Socket> {
  const addresses = (await lookup(host, { all: true })).map(({ address }) => address);
  if (security === 'none' && !addresses.every(isNear)) {
    throw new Found('public', `${host} has a public address`);
  }
  let failure: unknown;
  for (const address of addresses) {
    if (signal.aborted) break;
    try {
      return await open(address, port, signal);
    } catch (error) {
      failure = error;
    }
  }
  throw new Found('unreachable', failure instanceof Error ? failure.message : 'it has no address');
}

/** Whether an address is on this machine or its own network, where nobody else listens. */
function isNear(address: string): boolean {
  return ['loopback', 'private', 'uniqueLocal'].includes(ipaddr.process(address).range());
}

function open(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const opening = Promise.withResolvers<Socket>();
  const socket = connect({ host, port });
  // The caller gets the first error; later ones are ignored.
  socket.on('error', () => {});
  const giveUp = () => socket.destroy(new Error('it did not answer in time'));
  const timer = setTimeout(giveUp, connectMs);
  signal.addEventListener('abort', giveUp);
  socket.once('connect', () => opening.resolve(socket));
  socket.once('error', opening.reject);
  return opening.promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  });
}

async function send(socket: Socket, server: MailServer, { to, from, ...mail }: Submission['mail']) {
  const transport = createTransport({
    host: server.host,
    port: server.port,
    name: server.name,
    getSocket: (_options, callback) => callback(null, { connection: socket }),
    secure: server.security === 'tls',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'none',
    tls: { minVersion: 'TLSv1.2', ...(server.authorities !== undefined && { ca: server.authorities }) },
    ...(server.user !== null && { auth: { user: server.user, pass: server.password ?? '' } }),
    maxResponseSize: mostOfAnswer,
    // Message content comes from the message only; no files or URLs are read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      ...mail,
      // Objects, not strings: a string may contain several addresses.
      from: { name: 'Waypost', address: from },
      to: { name: '', address: to },
      envelope: { from, to: [to] },
      // Suppresses automatic replies (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    });
  } finally {
    transport.close();
  }
}

/** Kinds by nodemailer's codes. */
const kinds: Readonly<Record<string, FailureKind>> = {
  EDNS: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  ECONNECTION: 'unreachable',
  ESOCKET: 'unreachable',
  ETIMEDOUT: 'timeout',
  ETLS: 'tls',
  EAUTH: 'auth',
  ENOAUTH: 'auth',
};

interface SmtpError extends Error {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

function failureOf(thrown: unknown): Failure {
  const error: SmtpError = thrown instanceof Error ? thrown : new Error(String(thrown));
  const words = (error.response ?? error.message)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 300);
  return { kind: kindOf(error), status: error.responseCode, words };
}

function kindOf(error: SmtpError): FailureKind {
  if (error instanceof Found) return error.kind;
  const { code = '', command = '' } = error;
  // The server offers no STARTTLS, or someone in between removed it.
  if ((command === 'STARTTLS' && error.response !== undefined) || command === 'EHLO') return 'no_starttls';
  if (/^(CERT_|ERR_TLS|ERR_SSL|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|EPROTO)/.test(code)) return 'tls';
  if (/certificate|\bssl\b|\btls\b|wrong version number/i.test(error.message)) return 'tls';
  if (command === 'MAIL FROM') return 'sender';
  if (command === 'RCPT TO') return 'recipient';
  return kinds[code] ?? 'refused';
}

answerQuestions(submit);
