/** A mail server as the thread is told of it. */
export interface MailServer {
  host: string;
  port: number;
  security: 'tls' | 'starttls' | 'none';
  user: string | null;
  password: string | undefined;
  /** What we call ourselves to it. */
  name: string;
  /** Authorities that are trusted in place of the usual ones. */
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
  /** Milliseconds for all of it, however busily the server talks. */
  totalMs: number;
}

/**
 * What kept a message from being sent. Of these `recipient` and `refused` are about the message, all others about the
 * server.
 */
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
  /** The server's status; undefined where it said none. */
  status: number | undefined;
  /** What the server said, or the system. It may hold the recipient's address, so it gets into no log. */
  words: string;
}

export type Outcome = { failure?: undefined } | { failure: Failure };

/** Whether a failure says something of the server, so that no other message need be tried. */
export function isOfServer({ kind }: Failure): boolean {
  return kind !== 'recipient' && kind !== 'refused';
}

/** Whether the server refused for good (RFC 5321, section 4.2.1: 5yz). */
export function isFinal({ kind, status }: Failure): boolean {
  return !isOfServer({ kind, status, words: '' }) && status !== undefined && status >= 500;
}
