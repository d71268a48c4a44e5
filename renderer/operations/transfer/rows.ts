import type { NewCampaign } from '../../../server/contract/campaigns.ts';
import type { NewChannel } from '../../../server/contract/channels.ts';
import type { NewLink } from '../../../server/contract/links.ts';

export const transferKinds = ['campaigns', 'channels', 'links'] as const;
export type TransferKind = (typeof transferKinds)[number];

/**
 * State of a row before copying. `exists`: already at the destination · `conflict`: its alias is taken by a link with
 * another destination · `blocked`: cannot be copied.
 */
export type RowState = 'new' | 'exists' | 'conflict' | 'blocked';

/** Reason for a row's state; messages are in `transfer.reasons`. */
export type RowReason =
  | 'sameLink'
  | 'sameDestination'
  | 'sameName'
  | 'aliasTaken'
  | 'password'
  | 'loop'
  | 'geo'
  | 'device';

/** Part of a row that cannot be transferred; messages are in `transfer.notes`. */
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
  /** Unique within a copy: kind and source id. */
  readonly key: string;
  readonly name: string;
  /** Second line: destination URL or description. */
  readonly detail: string;
  readonly state: RowState;
  readonly reason?: RowReason;
  readonly notes: readonly RowNote[];
}

export interface CampaignRow extends RowBase {
  readonly kind: 'campaigns';
  readonly draft: NewCampaign;
  /** Whether the original has no rotator page, so that the copy's must be removed. */
  readonly isWithoutRotator: boolean;
}

export interface ChannelRow extends RowBase {
  readonly kind: 'channels';
  readonly draft: NewChannel;
}

export interface LinkRow extends RowBase {
  readonly kind: 'links';
  /** The future short link without scheme; undefined for a random alias. */
  readonly address: string | undefined;
  /** Everything except campaign and channels, whose ids are only known once these exist. */
  readonly draft: NewLink;
  /** Action if the row is selected although it probably exists: whether the existing link is a copy is not certain. */
  readonly anyway?: 'create' | 'rename';
  readonly campaign: string | undefined;
  readonly channels: readonly string[];
}

export type TransferRow = CampaignRow | ChannelRow | LinkRow;

/** What to do with links whose alias is taken by another destination. */
export const conflictChoices = ['skip', 'rename'] as const;
export type ConflictChoice = (typeof conflictChoices)[number];

/** Action for a row when copying. */
export type RowAction = 'create' | 'rename' | 'leave';

/** Whether a row is selected by default. */
export function isPicked(row: TransferRow): boolean {
  return row.kind !== 'links' || row.anyway === undefined;
}

/** The action for a row's state and the conflict setting, if it is selected. */
export function actionOf(row: TransferRow, conflict: ConflictChoice): RowAction {
  if (row.state === 'new') return 'create';
  if (row.kind === 'links' && row.anyway) return row.anyway;
  return row.state === 'conflict' && conflict === 'rename' ? 'rename' : 'leave';
}

/**
 * Outcome of a row. `left`: not selected for copying · `undone`: removed again · `kept`: could not be removed again.
 */
type Outcome = 'created' | 'renamed' | 'exists' | 'left' | 'failed' | 'undone' | 'kept';

export interface RowResult {
  readonly outcome: Outcome;
  /** Id of the created record; undefined if this copy did not create it. */
  readonly id?: number;
  readonly shorturl?: string;
  /** The server's message. */
  readonly message?: string;
  /** Parts found during copying that could not be transferred. */
  readonly notes?: readonly RowNote[];
  /** Must be unlocked before it can be removed. */
  readonly locked?: boolean;
}

/** Normalizes a name for comparison as servers do: case-insensitive, NFC. */
export function foldName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}
