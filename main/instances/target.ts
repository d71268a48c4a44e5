import type { Instance } from '../../preload/contract.ts';

/** Where the requests to an instance go, and whose key goes with them. */
export interface Target {
  readonly kind: Instance['kind'];
  readonly origin: string;
  readonly binding: string;
  /** Whether secrets would go there unencrypted through a network, and the person has not agreed to that. */
  readonly isClear: boolean;
}
