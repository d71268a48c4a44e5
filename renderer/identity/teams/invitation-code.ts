import { isOfThisComputer } from '../../ui/addresses.ts';

/** The code in what somebody typed or pasted: the code itself, or the link of an invitation. '' where there is none. */
export function codeOf(text: string): string {
  const code = text.trim().split('#').at(-1) ?? '';
  return /^[\w-]{1,200}$/.test(code) ? code : '';
}

/** The link of an invitation, into a team or to the instance. */
export interface InvitationLink {
  /** The server that it is of. */
  readonly origin: string;
  /** The page of the app that it opens there. */
  readonly path: string;
}

/** The invitation whose whole link somebody typed or pasted; undefined for anything else. */
export function invitationIn(text: string): InvitationLink | undefined {
  const link = text.trim();
  if (!/^https?:\/\//i.test(link) || !URL.canParse(link)) return undefined;
  const { origin, pathname, hash } = new URL(link);
  const page = /^\/admin(\/(?:join|register))$/.exec(pathname)?.[1];
  return page === undefined || codeOf(hash) === '' ? undefined : { origin, path: page + hash };
}

/** Whether two origins are of one server: this computer has several names. */
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
