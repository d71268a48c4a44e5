import { listCampaigns } from '../../server/contract/campaigns.ts';
import { listChannels } from '../../server/contract/channels.ts';
import { listDomains } from '../../server/contract/domains.ts';
import type { AnyEndpoint } from '../../server/contract/endpoint.ts';
import { listFiles } from '../../server/contract/files.ts';
import { listLinks } from '../../server/contract/links.ts';
import { listOverlays } from '../../server/contract/overlays.ts';
import { listPixels } from '../../server/contract/pixels.ts';
import { listSplash } from '../../server/contract/splash.ts';

/** The lists that a base contract server may have, by feature name; probing requests one row of each. */
export const probes: readonly (readonly [feature: string, list: AnyEndpoint])[] = [
  ['links', listLinks],
  ['campaigns', listCampaigns],
  ['channels', listChannels],
  ['files', listFiles],
  ['overlays', listOverlays],
  ['splash', listSplash],
  ['pixels', listPixels],
  ['domains', listDomains],
];
