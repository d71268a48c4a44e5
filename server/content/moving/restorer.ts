import type { MovedResource } from '../../contract/moving.ts';
import type { StoredBlock } from '../../visits/redirects/pages/bio-blocks.ts';
import type { MovedRecord, MovingQueries } from './queries.ts';
import type { LinkReferences, ReferenceQueries } from './reference-queries.ts';

interface Parts {
  queries: Pick<MovingQueries, 'find'>;
  references: ReferenceQueries;
}

interface CodeBefore {
  channels?: number[];
  link_id?: number | null;
  data?: string;
  channel?: number;
}

interface PageBefore {
  channels?: number[];
  channel?: number;
  domains?: number[];
  blocks?: string;
}

/**
 * Restores a record's references from before a move, as far as their targets belong to the account again. References
 * that replaced them are kept.
 */
export function restorer({ queries, references }: Parts, account: number) {
  const owns = (resource: MovedResource, id: number) => queries.find(resource, id, account) !== undefined;
  const joined = (resource: MovedResource, present: readonly number[], before: readonly number[]) => [
    ...present,
    ...before.filter((id) => !present.includes(id) && owns(resource, id)),
  ];

  function ownType(type: string): string {
    const [, prefix, digits] = /^(overlay-)?(\d+)$/.exec(type) ?? [];
    if (digits === undefined) return type;
    return owns(prefix ? 'overlays' : 'splash', Number(digits)) ? type : 'direct';
  }

  function restoreLink(id: number, before: LinkReferences): void {
    const present = references.ofLink(id);
    const campaign = before.campaign !== null && owns('campaigns', before.campaign) ? before.campaign : null;
    references.setOfLink(id, present, {
      campaign: present.campaign ?? campaign,
      weight: before.weight,
      position: before.position,
      type: present.type === 'direct' ? ownType(before.type) : present.type,
      pixels: joined('pixels', present.pixels, before.pixels),
      channels: joined('channels', present.channels, before.channels),
    });
  }

  function restoreChannels(type: 'bio' | 'qr', id: number, { channels = [], channel }: CodeBefore): void {
    const before = channel === undefined ? channels : [channel];
    const present = references.channelsOf(type, id);
    const all = joined('channels', present, before);
    if (all.length > present.length) references.setChannels(type, id, all);
  }

  function restoreCode(id: number, before: CodeBefore): void {
    restoreChannels('qr', id, before);
    const present = references.code(id);
    const { link_id: link, data } = before;
    if (!link || data === undefined || present?.link_id !== null || !owns('links', link)) return;
    references.setCode(id, link, data);
  }

  function restorePage(id: number, before: PageBefore): void {
    restoreChannels('bio', id, before);
    for (const domain of before.domains ?? []) references.showOnDomain(domain, id, account);
    if (before.blocks === undefined) return;
    const present = JSON.parse(references.blocks(id)) as StoredBlock[];
    for (const [index, block] of (JSON.parse(before.blocks) as StoredBlock[]).entries()) {
      const there = present.find((each) => each.id === block.id);
      if (block.type === 'file' && !there && owns('files', block.file)) present.splice(index, 0, block);
      const leads = block.type === 'link' && block.link !== undefined && owns('links', block.link);
      if (leads && there?.type === 'link' && there.url === block.url) there.link = block.link;
    }
    references.setBlocks(id, JSON.stringify(present));
  }

  return ({ resource, record_id: id, before }: MovedRecord): void => {
    if (!owns(resource, id)) return;
    const was = JSON.parse(before) as object;
    if (resource === 'links') restoreLink(id, was as LinkReferences);
    if (resource === 'qr') restoreCode(id, was as CodeBefore);
    if (resource === 'bio') restorePage(id, was as PageBefore);
  };
}
