import type { Feed } from './feed.ts';

/** What an account has, by the names that the live stream gives. */
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

/** Something that changed, told after its commit; the audit log and what happens to teams are told within one. */
export interface Change {
  /** Whose it is. */
  accountId: number;
  resource: ChangedResource;
  /** Empty where it may be any of them. */
  ids: number[];
}

export type Changes = Feed<Change>;
