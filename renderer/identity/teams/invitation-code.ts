import { isOfThisComputer } from '../../ui/addresses.ts';

/** The invitation code in typed or pasted text, which is the code itself or a link; '' if there is none. */
export function codeOf(text: string): string {
  const code = text.trim().split('#').at(-1) ?? '';
  return /^[\w-]{1,200}$/.test(code) ? code : '';
}

/** The link of an invitation to a team or to the instance. */
export interface InvitationLink {
  /** The server's origin. */
  readonly origin: string;
  /** The path that it opens in the app. */
  readonly path: string;
}

/** Parses a typed or pasted invitation link; undefined for anything else. */
export function invitationIn(text: string): InvitationLink | undefined {
  const link = text.trim();
  if (!/^https?:\/\//i.test(link) || !URL.canParse(link)) return undefined;
  const { origin, pathname, hash } = new URL(link);
  const page = /^\/admin(\/(?:join|register))$/.exec(pathname)?.[1];
  return page === undefined || codeOf(hash) === '' ? undefined : { origin, path: page + hash };
}

/** Whether two origins are the same server, treating all loopback names as equal. */
export function isSameServer(one: string, other: string): boolean {
  if (one === other) return true;
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const [first, second] = [new URL(one), new URL(other)];
  return (
    isOfThisComputer(one) &&
    isOfThisComputer(other) &&
    first.port === second.port &&
    first.protocol === second.protocol
  );
}
