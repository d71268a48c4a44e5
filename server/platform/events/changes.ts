import type { Feed } from './feed.ts';

/** The resources of an account, by the names used in the live stream. */
export type ChangedResource =
  | 'audit'
  | 'bio'
  | 'campaigns'
  | 'channels'
  | 'domains'
  | 'files'
  | 'links'
  | 'overlays'
  | 'pixels'
  | 'qr'
  | 'splash'
  | 'teams'
  | 'webhooks';

/** A change, published after its commit; the audit log and changes of teams publish inside the transaction. */
export interface Change {
  /** The account that it belongs to. */
  accountId: number;
  resource: ChangedResource;
  /** Empty if any of them may have changed. */
  ids: number[];
}

export type Changes = Feed<Change>;
