import type { NewCampaign } from '../../../server/contract/campaigns.ts';
import type { NewChannel } from '../../../server/contract/channels.ts';
import type { NewLink } from '../../../server/contract/links.ts';

export const transferKinds = ['campaigns', 'channels', 'links'] as const;
export type TransferKind = (typeof transferKinds)[number];

/**
 * What a row is before anything is done. `exists`: the same is there already · `conflict`: its alias is taken by
 * another destination · `blocked`: it cannot be copied.
 */
export type RowState = 'new' | 'exists' | 'conflict' | 'blocked';

/** Why a row is what it is; `transfer.reasons` has a sentence for each. */
export type RowReason =
  | 'sameLink'
  | 'sameDestination'
  | 'sameName'
  | 'aliasTaken'
  | 'password'
  | 'loop'
  | 'geo'
  | 'device';

/** What of a row does not travel; `transfer.notes` has a sentence for each. */
export type RowNote =
  | 'password'
  | 'pixels'
  | 'display'
  | 'domain'
  | 'alias'
  | 'slashes'
  | 'campaign'
  | 'channel'
  | 'times'
  | 'slug'
  | 'slugTaken'
  | 'rotator'
  | 'weights';

interface RowBase {
  /** Unique in a copy: kind and id at the source. */
  readonly key: string;
  readonly name: string;
  /** The second line: where it leads, or what it is for. */
  readonly detail: string;
  readonly state: RowState;
  readonly reason?: RowReason;
  readonly notes: readonly RowNote[];
}

export interface CampaignRow extends RowBase {
  readonly kind: 'campaigns';
  readonly draft: NewCampaign;
  /** Whether the original has no rotator page, so that the copy must lose the one it is given. */
  readonly isWithoutRotator: boolean;
}

export interface ChannelRow extends RowBase {
  readonly kind: 'channels';
  readonly draft: NewChannel;
}

export interface LinkRow extends RowBase {
  readonly kind: 'links';
  /** The address that it will have, without the scheme; undefined for a random alias. */
  readonly address: string | undefined;
  /** Everything but campaign and channels, whose ids are known when they are there. */
  readonly draft: NewLink;
  /** What happens to it if it is picked although it seems to be there: nothing there says that it is a copy. */
  readonly anyway?: 'create' | 'rename';
  readonly campaign: string | undefined;
  readonly channels: readonly string[];
}

export type TransferRow = CampaignRow | ChannelRow | LinkRow;

/** What is to happen to links whose alias another destination has. */
export const conflictChoices = ['skip', 'rename'] as const;
export type ConflictChoice = (typeof conflictChoices)[number];

/** What happens to a row when the copy runs. */
export type RowAction = 'create' | 'rename' | 'leave';

/** Whether a row is picked unless somebody says otherwise. */
export function isPicked(row: TransferRow): boolean {
  return row.kind !== 'links' || row.anyway === undefined;
}

/** The action that follows from a row's state and the choice for conflicts, if it is picked. */
export function actionOf(row: TransferRow, conflict: ConflictChoice): RowAction {
  if (row.state === 'new') return 'create';
  if (row.kind === 'links' && row.anyway) return row.anyway;
  return row.state === 'conflict' && conflict === 'rename' ? 'rename' : 'leave';
}

/**
 * What came of a row. `left`: it was not to be copied · `undone`: what was made is removed again · `kept`: it was to be
 * removed again, and that failed.
 */
type Outcome = 'created' | 'renamed' | 'exists' | 'left' | 'failed' | 'undone' | 'kept';

export interface RowResult {
  readonly outcome: Outcome;
  /** The id of what this copy made; absent for everything that it did not make. */
  readonly id?: number;
  readonly shorturl?: string;
  /** The server's sentence. */
  readonly message?: string;
  /** What turned out not to travel while it was copied. */
  readonly notes?: readonly RowNote[];
  /** Must be unlocked before it can be removed. */
  readonly locked?: boolean;
}

/** A name as servers compare names: without regard to case, NFC. */
export function foldName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}
