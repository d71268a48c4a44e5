import type { Instance } from '../../preload/contract.ts';

/** The origin that an instance's requests go to, and the identity of its key. */
export interface Target {
  readonly kind: Instance['kind'];
  readonly origin: string;
  readonly binding: string;
  /** Whether secrets would be sent unencrypted over a network without the user's consent. */
  readonly isClear: boolean;
}
