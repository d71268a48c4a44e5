import type { catalogue } from '../../catalogue.ts';
import { activity } from './activity.ts';
import { apiReference } from './api-reference.ts';
import { backup } from './backup.ts';
import { bio } from './bio.ts';
import { browserSignIn } from './browser-sign-in.ts';
import { campaigns } from './campaigns.ts';
import { channels } from './channels.ts';
import { comparison } from './comparison.ts';
import { desktop } from './desktop.ts';
import { domains } from './domains.ts';
import { files } from './files.ts';
import { fleet } from './fleet.ts';
import { frame } from './frame.ts';
import { importing } from './importing.ts';
import { instance } from './instance.ts';
import { instances } from './instances.ts';
import { keys } from './keys.ts';
import { links } from './links.ts';
import { mail } from './mail.ts';
import { missedVisits } from './missed-visits.ts';
import { moving } from './moving.ts';
import { overlays } from './overlays.ts';
import { overview } from './overview.ts';
import { passkeys } from './passkeys.ts';
import { pixels } from './pixels.ts';
import { plans } from './plans.ts';
import { privacy } from './privacy.ts';
import { qrCodes } from './qr-codes.ts';
import { session } from './session.ts';
import { settings } from './settings.ts';
import { sharing } from './sharing.ts';
import { simulator } from './simulator.ts';
import { singleSignOn } from './single-sign-on.ts';
import { splash } from './splash.ts';
import { stats } from './stats.ts';
import { teams } from './teams.ts';
import { transfer } from './transfer.ts';
import { twoFactor } from './two-factor.ts';
import { ui } from './ui.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';

/** All messages in Arabic, for types and tests; the app loads each folder's messages with the pages that use them. */
export const messages: typeof catalogue.en = {
  ...ui,
  ...frame,
  ...session,
  ...overview,
  ...links,
  ...importing,
  ...comparison,
  ...campaigns,
  ...channels,
  ...pixels,
  ...bio,
  ...qrCodes,
  ...files,
  ...domains,
  ...overlays,
  ...moving,
  ...splash,
  ...stats,
  ...simulator,
  ...apiReference,
  ...settings,
  ...passkeys,
  ...singleSignOn,
  ...browserSignIn,
  ...twoFactor,
  ...keys,
  ...users,
  ...privacy,
  ...missedVisits,
  ...teams,
  ...plans,
  ...instance,
  ...backup,
  ...mail,
  ...instances,
  ...transfer,
  ...desktop,
  ...sharing,
  ...fleet,
  ...webhooks,
  ...activity,
};
