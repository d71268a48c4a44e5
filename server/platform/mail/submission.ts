/** A mail server, as passed to the thread. */
export interface MailServer {
  host: string;
  port: number;
  security: 'tls' | 'starttls' | 'none';
  user: string | null;
  password: string | undefined;
  /** The host name that we identify ourselves with. */
  name: string;
  /** Trusted certificate authorities, instead of the default ones. */
  authorities?: string | undefined;
}

/** A message, ready to be sent. */
interface Mail {
  from: string;
  to: string;
  messageId: string;
  subject: string;
  text: string;
  html: string;
}

export interface Submission {
  server: MailServer;
  mail: Mail;
  /** Milliseconds in total, however active the server is. */
  totalMs: number;
}

/** Why a message was not sent. `recipient` and `refused` concern the message, all others the server. */
export type FailureKind =
  | 'unreachable'
  | 'public'
  | 'no_starttls'
  | 'tls'
  | 'timeout'
  | 'auth'
  | 'sender'
  | 'recipient'
  | 'refused';

export interface Failure {
  kind: FailureKind;
  /** The server's status code; undefined if there was none. */
  status: number | undefined;
  /** The text of the server or system. It may contain the recipient's address, so it is never logged. */
  words: string;
}

export type Outcome = { failure?: undefined } | { failure: Failure };

/** Whether a failure concerns the server, so that other messages need not be tried. */
export function isOfServer({ kind }: Failure): boolean {
  return kind !== 'recipient' && kind !== 'refused';
}

/** Whether the server rejected it permanently (RFC 5321, section 4.2.1: 5yz). */
export function isFinal({ kind, status }: Failure): boolean {
  return !isOfServer({ kind, status, words: '' }) && status !== undefined && status >= 500;
}
