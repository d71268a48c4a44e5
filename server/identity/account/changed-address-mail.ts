import { securityParty } from '../../platform/mail/limits.ts';
import type { MailService } from '../../platform/mail/module.ts';
import type { UserService } from '../users/service.ts';

interface ChangedAddress {
  userId: number;
  /** The former address. */
  from: string;
}

interface Options {
  mail: Pick<MailService, 'writeWith' | 'postIfPossible' | 'linkTo'>;
  users: Pick<UserService, 'find'>;
}

/**
 * Emails the former address of a person whose address was changed, if the instance can send email. Whoever has a full
 * key can change it without knowing the password, and then have the password reset by email. The new address is not
 * told: the former one may be somebody else's by now.
 */
export function changedAddressMail({ mail, users }: Options): (change: ChangedAddress) => void {
  const post = mail.writeWith('changed-address', ({ userId, from }: ChangedAddress) => {
    const user = users.find(userId)?.user;
    if (!user) return undefined;
    return {
      kind: 'addressChanged',
      to: from,
      values: { username: user.username },
      url: mail.linkTo('/admin/settings/profile'),
      languages: user.language === '' ? [] : [user.language],
    };
  });
  return (change) => {
    if (change.from !== '') mail.postIfPossible(() => post(change, securityParty(change.userId)));
  };
}
