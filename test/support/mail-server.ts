import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { vi } from 'vitest';
import type { Settings } from '../../server/contract/settings.ts';
import { type MadeCertificate, selfSigned } from './certificates.ts';

/** A message as received by the server. */
interface ReceivedMail {
  from: string;
  to: string[];
  /** The raw message, headers and content. */
  raw: string;
  header(name: string): string | undefined;
  subject: string;
  text: string;
  html: string;
  /** The first URL in it that leads to an admin page. */
  link: string;
}

export interface MailServer {
  /** Settings for this server, with STARTTLS. */
  settings: Settings['mail'];
  /** The certificate to trust. */
  authorities: string;
  received: ReceivedMail[];
  /** Resolves to a message whose subject starts with this text, once it has arrived. */
  next(subject: string, to?: string): Promise<ReceivedMail>;
  close(): Promise<void>;
}

interface Options extends SMTPServerOptions {
  /** Listens on this port, for a server that was away. */
  port?: number;
  /** The certificate that it shows; one of its own unless told otherwise. */
  shown?: MadeCertificate;
}

/** A real mail server on the loopback address, with a user `waypost` and the password `letters`. */
export async function mailServer({ port = 0, shown, ...options }: Options = {}): Promise<MailServer> {
  const { key, certificate } = shown ?? (await selfSigned({ names: ['localhost'] }));
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    key,
    cert: certificate,
    name: 'mail.test',
    logger: false,
    closeTimeout: 10,
    onAuth({ username, password }, _session, callback) {
      if (username === 'waypost' && password === 'letters') return callback(null, { user: username });
      callback(new Error('535 5.7.8 no such user'));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push(
          readMail(
            Buffer.concat(chunks).toString(),
            mailFrom ? mailFrom.address : '',
            rcptTo.map(({ address }) => address),
          ),
        );
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const bound = server.server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port');
  return {
    settings: {
      host: 'localhost',
      port: bound.port,
      security: 'starttls',
      user: 'waypost',
      from: 'links@example.com',
    },
    authorities: certificate,
    received,
    next: (subject, to) =>
      vi.waitFor(
        () => {
          const found = received.findIndex(
            (mail) => mail.subject.startsWith(subject) && (to === undefined || mail.to.includes(to)),
          );
          if (found === -1) throw new Error(`no message "${subject}" among ${received.length}`);
          return received.splice(found, 1)[0] as ReceivedMail;
        },
        { timeout: 5_000, interval: 10 },
      ),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function readMail(raw: string, from: string, to: string[]): ReceivedMail {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  const header = (name: string) =>
    head
      .split('\r\n')
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  const [text, html] = ['text/plain', 'text/html'].map((type) => partOf(raw, type)) as [string, string];
  return {
    from,
    to,
    raw,
    header,
    subject: decodedWords(header('subject') ?? ''),
    text,
    html,
    link: /https?:\/\/\S+\/admin\/\S+/.exec(text)?.[0] ?? '',
  };
}

function partOf(raw: string, type: string): string {
  const start = raw.indexOf(`Content-Type: ${type}`);
  if (start === -1) return '';
  const bodyAt = raw.indexOf('\r\n\r\n', start) + 4;
  const end = raw.indexOf('\r\n----_', bodyAt);
  const body = raw.slice(bodyAt, end === -1 ? undefined : end);
  const encoding = /Content-Transfer-Encoding: (\S+)/i.exec(raw.slice(start, bodyAt))?.[1]?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  return encoding === 'quoted-printable' ? unquoted(body.replace(/=\r\n/g, '')) : body;
}

function decodedWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_word, form: string, content: string) =>
      form.toLowerCase() === 'b'
        ? Buffer.from(content, 'base64').toString()
        : unquoted(content.replaceAll('_', ' ')),
    );
}

function unquoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_code, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}
