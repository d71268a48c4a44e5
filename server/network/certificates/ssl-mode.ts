import type { Settings } from '../../contract/settings.ts';

/** Who provides certificates (contract, setting `ssl`). */
export type SslMode = Settings['ssl']['mode'];
