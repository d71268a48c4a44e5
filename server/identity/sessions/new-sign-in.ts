import { networkOf } from '../../platform/http/addresses.ts';
import { securityParty } from '../../platform/mail/limits.ts';
import type { MailService } from '../../platform/mail/module.ts';
import type { UserService } from '../users/service.ts';

interface Options {
  mail: Pick<MailService, 'linkTo' | 'writeWith' | 'postOnceADay'>;
  users: Pick<UserService, 'find'>;
  /** ISO code of the country of an address; '' where it is not known. */
  countryOf: (address: string) => string;
}

interface SignIn {
  userId: number;
  device: string;
  address: string;
  at: number;
}

/**
 * Emails people when someone signs in as them from a new device or network; they can turn that off. For people who
 * change networks often, it is sent once a day per device and country, so that a sign-in from elsewhere is still
 * reported.
 */
export function newSignInMail({ mail, users, countryOf }: Options): (signIn: SignIn) => void {
  const post = mail.writeWith('new-sign-in', ({ userId, device, address, at }: SignIn) => {
    const user = users.find(userId)?.user;
    if (!user || user.signin_email === 0) return undefined;
    const country = countryOf(address);
    const languages = user.language === '' ? [] : [user.language];
    const names = new Intl.DisplayNames([...languages, 'en'], { type: 'region', fallback: 'code' });
    return {
      kind: 'newSignIn',
      to: user.email,
      values: {
        username: user.username,
        device,
        place: country === '' ? address : `${names.of(country)} (${address})`,
        time: { at, timezone: user.timezone },
      },
      url: mail.linkTo('/admin/settings/security'),
      languages,
      isOptional: true,
    };
  });
  return (signIn) => {
    const { userId, device, address } = signIn;
    const place = countryOf(address) || networkOf(address);
    mail.postOnceADay(`sign-in of ${userId} on ${device} in ${place}`, () =>
      post(signIn, securityParty(userId)),
    );
  };
}
