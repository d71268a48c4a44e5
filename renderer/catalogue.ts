import { messages as bio } from './content/bio/messages.ts';
import { messages as campaigns } from './content/campaigns/messages.ts';
import { messages as channels } from './content/channels/messages.ts';
import { messages as comparison } from './content/comparison/messages.ts';
import { messages as files } from './content/files/messages.ts';
import { messages as importing } from './content/import/messages.ts';
import { messages as links } from './content/links/messages.ts';
import { messages as moving } from './content/moving/messages.ts';
import { messages as overlays } from './content/overlays/messages.ts';
import { messages as pixels } from './content/pixels/messages.ts';
import { messages as qrCodes } from './content/qr/messages.ts';
import { messages as simulator } from './content/simulator/messages.ts';
import { messages as splash } from './content/splash/messages.ts';
import { messages as missedVisits } from './content/unmatched/messages.ts';
import { messages as frame } from './frame/messages.ts';
import { messages as activity } from './identity/activity/messages.ts';
import { messages as browserSignIn } from './identity/browser-sign-in/messages.ts';
import { messages as keys } from './identity/keys/messages.ts';
import { messages as passkeys } from './identity/passkeys/messages.ts';
import { messages as plans } from './identity/plans/messages.ts';
import { messages as session } from './identity/session/messages.ts';
import { messages as singleSignOn } from './identity/single-sign-on/messages.ts';
import { messages as teams } from './identity/teams/messages.ts';
import { messages as twoFactor } from './identity/two-factor/messages.ts';
import { messages as users } from './identity/users/messages.ts';
import { messages as domains } from './network/domains/messages.ts';
import { messages as fleet } from './network/fleet/messages.ts';
import { messages as instances } from './network/instances/messages.ts';
import { messages as sharing } from './network/sharing/messages.ts';
import { messages as webhooks } from './network/webhooks/messages.ts';
import { messages as apiReference } from './operations/api-reference/messages.ts';
import { messages as backup } from './operations/backup/messages.ts';
import { messages as desktop } from './operations/desktop-settings/messages.ts';
import { messages as instance } from './operations/instance/messages.ts';
import { messages as mail } from './operations/mail/messages.ts';
import { messages as settings } from './operations/settings/messages.ts';
import { messages as transfer } from './operations/transfer/messages.ts';
import { messages as ui } from './ui/messages.ts';
import { messages as overview } from './visits/overview/messages.ts';
import { messages as privacy } from './visits/privacy/messages.ts';
import { messages as stats } from './visits/stats/messages.ts';

/**
 * All messages of the UI, for types and tests; the app loads each folder's messages with the pages that use them
 * (ui/sentences.ts). Each folder has its own top-level key.
 */
export const catalogue = {
  en: {
    ...ui.en,
    ...frame.en,
    ...session.en,
    ...overview.en,
    ...links.en,
    ...importing.en,
    ...comparison.en,
    ...campaigns.en,
    ...channels.en,
    ...pixels.en,
    ...bio.en,
    ...qrCodes.en,
    ...files.en,
    ...domains.en,
    ...overlays.en,
    ...moving.en,
    ...splash.en,
    ...stats.en,
    ...simulator.en,
    ...apiReference.en,
    ...settings.en,
    ...passkeys.en,
    ...singleSignOn.en,
    ...browserSignIn.en,
    ...twoFactor.en,
    ...keys.en,
    ...users.en,
    ...privacy.en,
    ...missedVisits.en,
    ...teams.en,
    ...plans.en,
    ...instance.en,
    ...backup.en,
    ...mail.en,
    ...instances.en,
    ...transfer.en,
    ...desktop.en,
    ...sharing.en,
    ...fleet.en,
    ...webhooks.en,
    ...activity.en,
  },
};
