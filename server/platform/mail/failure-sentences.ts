import type { MailSettings } from '../../contract/settings.ts';
import type { Failure, FailureKind } from './submission.ts';

/** Plain descriptions of failures; what the server said is quoted. */
export function failureSentence({ kind, words }: Failure, { host, port, from }: MailSettings): string {
  const server = `${host}:${port}`;
  const said = words === '' ? '' : `: “${words}”`;
  const sentences: Record<FailureKind, string> = {
    unreachable: `${server} could not be reached${said}. Check the host and the port.`,
    timeout: `${server} did not answer in time. Check the port, and whether it fits the security.`,
    tls: `No secure connection to ${server}${said}. Check the security, and the name in its certificate.`,
    no_starttls: `${server} offers no STARTTLS, so nothing was sent. Choose TLS, or ask who runs it.`,
    public: `${host} is not in your own network, so nothing was sent unencrypted. Choose TLS or STARTTLS.`,
    auth: `${server} refused the user or the password${said}. Check both.`,
    sender: `${server} does not take email from ${from}${said}. Use an address that you may send from.`,
    recipient: `${server} refused the recipient${said}.`,
    refused: `${server} refused the message${said}.`,
  };
  return sentences[kind];
}

/** The error code; `mail_plain`, which is not one of these, is for settings without encryption. */
export function codeOf({ kind }: Failure): string {
  return `mail_${kind}`;
}

/** The values that a translation needs; `words` is what the server said, if anything. */
export function failureData({ words }: Failure, { host, port, from }: MailSettings): Record<string, string> {
  return { server: `${host}:${port}`, host: host ?? '', from: from ?? '', ...(words !== '' && { words }) };
}

/** The setting that most likely needs to be changed, for the form. */
export function fieldOf({ kind }: Failure): string | undefined {
  const fields: Partial<Record<FailureKind, string>> = {
    unreachable: 'mail.host',
    tls: 'mail.security',
    no_starttls: 'mail.security',
    public: 'mail.security',
    auth: 'mail.user',
    sender: 'mail.from',
  };
  return fields[kind];
}
