import type { MovedResource } from '../../contract/moving.ts';
import type { StoredBlock } from '../../visits/redirects/pages/bio-blocks.ts';
import type { MovedRecord, MoveRow, MovingQueries } from './queries.ts';
import { type ReferenceQueries, typeOf } from './reference-queries.ts';

/** Records, and bio pages, examined per step. */
const recordsPerStep = 20;
const pagesPerStep = 2;

interface Parts {
  queries: MovingQueries;
  references: ReferenceQueries;
}

/**
 * Removes references from the records left behind, some per step, and records what they were. False when nothing is
 * left; then the move is finished.
 */
export function leftovers({ queries, references }: Parts, move: MoveRow): () => boolean {
  const { change_id: changeId, from_id: from, to_id: to } = move;
  let records: MovedRecord[] = [];
  let last = 0;
  let afterLink = 0;
  let hasAll = false;
  let afterPage = 0;
  /** Links and files that have left. */
  let hasLeft = false;

  /** Some of what refers to a record; false when nothing does any more. */
  function detachFrom(resource: MovedResource, id: number): boolean {
    const bound = { id, from, to };
    const found = references.linksReferringTo(resource, bound, afterLink);
    for (const { id: link, references: before } of found) {
      if (resource === 'pixels') afterLink = link;
      const after = { ...before };
      if (resource === 'campaigns') after.campaign = null;
      if (resource === 'channels') after.channels = before.channels.filter((channel) => channel !== id);
      if (resource === 'pixels') after.pixels = before.pixels.filter((pixel) => pixel !== id);
      const isBefore =
        (resource === 'overlays' || resource === 'splash') && before.type === typeOf(resource, id);
      if (isBefore) after.type = 'direct';
      if (JSON.stringify(after) === JSON.stringify(before)) continue;
      references.setOfLink(link, before, after);
      queries.note(changeId, 'links', link, false, before);
    }
    if (found.length > 0 || resource !== 'channels') return found.length > 0;
    const items = references.itemsReferringTo(bound);
    for (const { type, item_id: item } of items) {
      references.leaveChannel(id, type, item);
      queries.note(changeId, type, item, false, { channel: id });
    }
    return items.length > 0;
  }

  /** Bio pages left behind show no moved files, and refer to moved links by their URLs. */
  function detachPages(): boolean {
    const pages = references.pages(from, afterPage, pagesPerStep);
    for (const { id, blocks } of pages) {
      afterPage = id;
      const kept = (JSON.parse(blocks) as StoredBlock[]).flatMap((block): StoredBlock[] => {
        if (block.type === 'file') return references.ownerOfFile(block.file) === to ? [] : [block];
        if (block.type !== 'link' || block.link === undefined) return [block];
        if (references.ownerOfLink(block.link) !== to) return [block];
        const { link: _gone, ...rest } = block;
        return [rest];
      });
      const json = JSON.stringify(kept);
      if (json === blocks) continue;
      references.setBlocks(id, json);
      queries.note(changeId, 'bio', id, false, { blocks });
    }
    return pages.length > 0;
  }

  return () => {
    if (!hasAll && records.length === 0) {
      records = queries.records(changeId, last, recordsPerStep);
      hasAll = records.length === 0;
    }
    const [record] = records;
    if (record) {
      last = record.id;
      const { resource, record_id: id, moved } = record;
      if (resource === 'links' || resource === 'files') hasLeft ||= moved === 1;
      const isLeft = moved === 1 && resource !== 'links' && resource !== 'files';
      if (isLeft && detachFrom(resource, id)) return true;
      afterLink = 0;
      records.shift();
      return true;
    }
    if (hasLeft && detachPages()) return true;
    queries.finish(changeId);
    return false;
  };
}
