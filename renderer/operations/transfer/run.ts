import { addCampaign, deleteCampaign, updateCampaign } from '../../../server/contract/campaigns.ts';
import { addChannel, channelNameOf, deleteChannel } from '../../../server/contract/channels.ts';
import { addLink, deleteLink, listLinks, updateLink } from '../../../server/contract/links.ts';
import type { Call } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { readCampaigns, readChannels } from './reading.ts';
import {
  actionOf,
  type CampaignRow,
  type ChannelRow,
  type ConflictChoice,
  foldName,
  type LinkRow,
  type RowNote,
  type RowResult,
  type TransferRow,
} from './rows.ts';

/** Ids of campaigns and channels at the destination by normalized name; extended during a copy. */
export interface KnownNames {
  readonly campaigns: Map<string, number>;
  readonly channels: Map<string, number>;
}

interface Run {
  /** Client for the destination. */
  readonly at: Call;
  readonly rows: readonly TransferRow[];
  readonly names: KnownNames;
  readonly conflict: ConflictChoice;
  /** Checked before each row. */
  readonly shouldStop: () => boolean;
  readonly onResult: (key: string, result: RowResult) => void;
}

/**
 * Copies rows one by one. A rejected row is reported, and the next one continues. Returns whether all rows were
 * processed. Throws ApiFailure only if no further row can succeed: without connection or valid key.
 */
export async function runTransfer({
  at,
  rows,
  names,
  conflict,
  shouldStop,
  onResult,
}: Run): Promise<boolean> {
  for (const row of rows) {
    if (shouldStop()) return false;
    onResult(row.key, await attempt(() => copyRow(at, row, names, conflict), 'failed'));
  }
  return true;
}

function copyRow(
  at: Call,
  row: TransferRow,
  names: KnownNames,
  conflict: ConflictChoice,
): Promise<RowResult> {
  switch (row.kind) {
    case 'campaigns':
      return copyCampaign(at, row, names.campaigns);
    case 'channels':
      return copyChannel(at, row, names.channels);
    case 'links':
      return copyLink(at, row, names, conflict);
  }
}

async function copyCampaign(at: Call, row: CampaignRow, names: Map<string, number>): Promise<RowResult> {
  const { slug, ...rest } = row.draft;
  const notes: RowNote[] = [];
  let made: { id: number };
  try {
    made = await at(addCampaign, { body: row.draft });
  } catch (error) {
    if (codeOf(error) === 'name_taken') return useExisting(row.name, names, () => readCampaigns(at, never));
    if (codeOf(error) !== 'slug_taken' || !slug) throw error;
    made = await at(addCampaign, { body: rest });
    notes.push('slugTaken');
  }
  names.set(foldName(row.name), made.id);
  if (row.isWithoutRotator) {
    try {
      await at(updateCampaign, { params: { id: made.id }, body: { slug: '' } });
    } catch (error) {
      // The campaign was created anyway, and a row without its id could not be undone.
      if (!(error instanceof ApiFailure)) throw error;
      notes.push('rotator');
    }
  }
  return { outcome: 'created', id: made.id, notes };
}

async function copyChannel(
  at: Call,
  row: ChannelRow,
  names: Map<string, number>,
  name = row.name,
): Promise<RowResult> {
  try {
    const { id } = await at(addChannel, { body: { ...row.draft, name } });
    names.set(foldName(row.name), id);
    return { outcome: 'created', id };
  } catch (error) {
    const code = codeOf(error);
    // The original's name predates today's rules; use the nearest valid one.
    const nearest = channelNameOf(name);
    if ((code === 'empty_part' || code === 'turned_text') && nearest !== '' && nearest !== name)
      return copyChannel(at, row, names, nearest);
    if (code !== 'name_taken') throw error;
    const result = await useExisting(name, names, () => readChannels(at, never));
    const existing = names.get(foldName(name));
    if (existing !== undefined) names.set(foldName(row.name), existing);
    return result;
  }
}

/** Someone created one with the same name in the meantime. */
async function useExisting(
  name: string,
  names: Map<string, number>,
  read: () => Promise<readonly { readonly id: number; readonly name: string }[]>,
): Promise<RowResult> {
  for (const one of await read()) names.set(foldName(one.name), one.id);
  return names.has(foldName(name)) ? { outcome: 'exists' } : { outcome: 'failed' };
}

async function copyLink(
  at: Call,
  row: LinkRow,
  names: KnownNames,
  conflict: ConflictChoice,
): Promise<RowResult> {
  const campaign = row.campaign === undefined ? undefined : names.campaigns.get(foldName(row.campaign));
  const channel = row.channels.flatMap((name) => names.channels.get(foldName(name)) ?? []);
  // Known cases are in the preview; failed or deselected campaigns only show now.
  const notes: RowNote[] = [];
  if (row.campaign !== undefined && campaign === undefined) notes.push('campaign');
  if (channel.length < row.channels.length) notes.push('channel');
  const { custom, ...rest } = row.draft;
  const body = {
    ...rest,
    ...(campaign !== undefined && { campaign }),
    ...(channel.length > 0 && { channel }),
  };
  const locked = row.draft.locked === true;

  if (custom && actionOf(row, conflict) === 'create') {
    try {
      const { id, shorturl } = await at(addLink, { body: { ...body, custom } });
      return { outcome: 'created', id, shorturl, notes, locked };
    } catch (error) {
      if (codeOf(error) !== 'alias_taken') throw error;
      if (await isThereAlready(at, row)) return { outcome: 'exists' };
      if (conflict === 'skip') return { outcome: 'left', message: (error as ApiFailure).message };
    }
  }
  const { id, shorturl } = await at(addLink, { body });
  return { outcome: custom ? 'renamed' : 'created', id, shorturl, notes, locked };
}

/** Whether the alias already has the same destination: the response to an earlier attempt may have been lost. */
async function isThereAlready(at: Call, { draft }: LinkRow): Promise<boolean> {
  const short = draft.domain
    ? `https://${draft.domain}/${encodeURIComponent(draft.custom ?? '')}`
    : draft.custom;
  const { data } = await at(listLinks, { query: { ...(short && { short }) } });
  const [found] = data.urls;
  // A link in the trash keeps its alias but does not redirect.
  return found?.longurl === draft.url && found.state !== 'trashed';
}

interface Undoing {
  readonly at: Call;
  /** Created records, in order of creation. */
  readonly made: readonly { readonly row: TransferRow; readonly result: RowResult }[];
  readonly shouldStop: () => boolean;
  readonly onResult: (key: string, result: RowResult) => void;
}

/**
 * Removes the records that a copy created, in reverse order, and nothing else. Links are deleted permanently instead of
 * moved to the trash, so that their aliases become available. Returns whether all were processed. Throws like
 * `runTransfer`.
 */
export async function undoTransfer({ at, made, shouldStop, onResult }: Undoing): Promise<boolean> {
  for (const { row, result } of [...made].reverse()) {
    if (shouldStop()) return false;
    const { id } = result;
    if (id === undefined) continue;
    const outcome = await attempt(async () => {
      await removeRow(at, row, id, result.locked === true);
      return { outcome: 'undone' };
    }, 'kept');
    onResult(row.key, outcome.outcome === 'kept' ? { ...result, ...outcome } : outcome);
  }
  return true;
}

async function removeRow(at: Call, row: TransferRow, id: number, isLocked: boolean): Promise<void> {
  const params = { id };
  try {
    if (row.kind === 'campaigns') await at(deleteCampaign, { params });
    else if (row.kind === 'channels') await at(deleteChannel, { params });
    else {
      if (isLocked) await at(updateLink, { params, body: { locked: false } });
      await at(deleteLink, { params, query: { force: '1' } });
    }
  } catch (error) {
    // Deleted in the meantime.
    if (!(error instanceof ApiFailure && error.status === 404)) throw error;
  }
}

/** A rejection becomes the row's result; failures that affect all rows are rethrown. */
async function attempt(work: () => Promise<RowResult>, failed: 'failed' | 'kept'): Promise<RowResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.kind !== 'refused' && error.kind !== 'malformed') throw error;
    return { outcome: failed, message: error.message };
  }
}

/** Reads during a run are not aborted; a run only stops between rows. */
const never = new AbortController().signal;

function codeOf(error: unknown): string | undefined {
  return error instanceof ApiFailure ? error.code : undefined;
}
