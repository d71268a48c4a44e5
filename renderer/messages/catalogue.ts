import { createI18n } from 'vue-i18n';
import { messages as activity } from '../activity/messages.ts';
import { messages as apiReference } from '../api-reference/messages.ts';
import { messages as backup } from '../backup/messages.ts';
import { messages as bio } from '../bio/messages.ts';
import { messages as campaigns } from '../campaigns/messages.ts';
import { messages as channels } from '../channels/messages.ts';
import { messages as desktop } from '../desktop-settings/messages.ts';
import { messages as domains } from '../domains/messages.ts';
import { messages as files } from '../files/messages.ts';
import { messages as frame } from '../frame/messages.ts';
import { messages as importing } from '../import/messages.ts';
import { messages as instance } from '../instance-settings/messages.ts';
import { messages as instances } from '../instances/messages.ts';
import { messages as keys } from '../keys/messages.ts';
import { messages as links } from '../links/messages.ts';
import { messages as overlays } from '../overlays/messages.ts';
import { messages as overview } from '../overview/messages.ts';
import { messages as pixels } from '../pixels/messages.ts';
import { messages as plans } from '../plans/messages.ts';
import { messages as qrCodes } from '../qr-codes/messages.ts';
import { messages as session } from '../session/messages.ts';
import { messages as settings } from '../settings/messages.ts';
import { messages as sharing } from '../sharing/messages.ts';
import { messages as simulator } from '../simulator/messages.ts';
import { messages as splash } from '../splash/messages.ts';
import { messages as stats } from '../stats/messages.ts';
import { messages as transfer } from '../transfer/messages.ts';
import { messages as twoFactor } from '../two-factor/messages.ts';
import { messages as ui } from '../ui/messages.ts';
import { messages as users } from '../users/messages.ts';
import { messages as webhooks } from '../webhooks/messages.ts';

/** Every sentence of the interface. Each folder writes its own below a key of its own. */
export const catalogue = {
  en: {
    ...ui.en,
    ...frame.en,
    ...session.en,
    ...overview.en,
    ...links.en,
    ...importing.en,
    ...campaigns.en,
    ...channels.en,
    ...pixels.en,
    ...bio.en,
    ...qrCodes.en,
    ...files.en,
    ...domains.en,
    ...overlays.en,
    ...splash.en,
    ...stats.en,
    ...simulator.en,
    ...apiReference.en,
    ...settings.en,
    ...twoFactor.en,
    ...keys.en,
    ...users.en,
    ...plans.en,
    ...instance.en,
    ...backup.en,
    ...instances.en,
    ...transfer.en,
    ...desktop.en,
    ...sharing.en,
    ...webhooks.en,
    ...activity.en,
  },
};

/** The translator of one page life; tests make one of their own. */
export function translations() {
  return createI18n({ legacy: false, locale: 'en', fallbackLocale: 'en', messages: catalogue });
}
