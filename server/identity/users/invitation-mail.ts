import type { Actor } from '../../platform/audit/actor.ts';
import { accountParty } from '../../platform/concurrency/fair-queue.ts';
import { type Moment, nameForOthers } from '../../platform/mail/letters.ts';
import type { MailService } from '../../platform/mail/module.ts';

interface Invitation {
  to: string;
  /** Who invites. */
  by: string;
  /** The name of the team; undefined where an account of the instance is meant. */
  team?: string;
  url: string;
  /** In the time zone of the one who invites. */
  until: Moment;
  languages: readonly string[];
}

/**
 * Emails an invitation; false if mail is not configured, or a link in it would not work. Throws 429 or 503 if too many
 * are sent.
 */
export type MailInvitation = (invitation: Invitation, actor: Actor) => boolean;

/** Emails invitations to the instance and to teams. The inviting person is told if too many are sent. */
export function invitationMail(mail: Pick<MailService, 'canLink' | 'writeWith'>): MailInvitation {
  const post = mail.writeWith(
    'invitation',
    ({ to, by, team, url, until, languages }: Invitation) => ({
      kind: team === undefined ? ('invitation' as const) : ('teamInvitation' as const),
      to,
      values: { by: nameForOthers(by), until, ...(team !== undefined && { team: nameForOthers(team) }) },
      url,
      languages,
    }),
    { refusesTooMany: true },
  );
  return (invitation, { userId }) => {
    if (!mail.canLink()) return false;
    post(invitation, userId === null ? 'terminal' : accountParty(userId));
    return true;
  };
}
