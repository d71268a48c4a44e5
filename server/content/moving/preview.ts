import type { MovedResource } from '../../contract/moving.ts';
import type { Reader } from '../../platform/database/reader.ts';
import { entriesSql } from '../../platform/text/stored-json.ts';
import { movedTables } from './queries.ts';

/** Something that records refer to, as a preview of their move shows it. */
export interface RelatedThing {
  resource: MovedResource;
  id: number;
  name: string;
  /** Whether the other account has one of the same name. */
  taken: boolean;
}

interface Wanted {
  from: number;
  to: number;
  resource: MovedResource;
  ids: readonly number[];
  /** For people who see only their own records; null for everyone else. */
  creator: number | null;
}

const mostRelated = 100;
const named: Partial<Record<MovedResource, string>> = {
  campaigns: 'theirs.name_folded = found.name_folded',
  channels: 'theirs.name_folded = found.name_folded',
  pixels: 'theirs.type = found.type AND theirs.name = found.name',
  overlays: 'theirs.type = found.type AND theirs.name = found.name',
  splash: 'theirs.name = found.name',
};

const isSeen = (table: string) =>
  `(@creator IS NULL OR ifnull(${table}.created_by, ${table}.user_id) = @creator)`;

/** Records of one kind that others refer to; `ids` selects which. */
function relatedSql(resource: MovedResource, ids: string): string {
  const table = movedTables[resource];
  const same = named[resource];
  const taken = same
    ? `EXISTS (SELECT 1 FROM ${table} AS theirs WHERE theirs.user_id = @to AND ${same})`
    : '0';
  return `SELECT '${resource}' AS resource, id, ${resource === 'links' ? 'alias' : 'name'} AS name, ${taken} AS taken
    FROM ${table} AS found WHERE user_id = @from AND id IN (${ids}) AND ${isSeen('found')} ORDER BY 3, id LIMIT ${mostRelated}`;
}

const chosen = (table: string) =>
  `${table}.user_id = @from AND ${table}.id IN (SELECT value FROM json_each(@ids)) AND ${isSeen(table)}`;

const channelsOf = (type: 'bio' | 'qr') =>
  relatedSql(
    'channels',
    `SELECT channel_id FROM channel_items JOIN ${movedTables[type]} AS owned ON owned.id = item_id
     WHERE channel_items.type = '${type}' AND ${chosen('owned')}`,
  );
const blocksOf = (type: 'link' | 'file') =>
  `SELECT block.value ->> '$.${type}' FROM bio_pages, json_each(blocks) AS block
   WHERE block.value ->> '$.type' = '${type}' AND ${chosen('bio_pages')}`;

const statements: Partial<Record<MovedResource, readonly string[]>> = {
  links: [
    relatedSql('campaigns', `SELECT campaign_id FROM links WHERE ${chosen('links')}`),
    relatedSql(
      'channels',
      `SELECT channel_id FROM links JOIN link_channels ON link_id = links.id WHERE ${chosen('links')}`,
    ),
    relatedSql(
      'pixels',
      `SELECT pixel.value FROM links, ${entriesSql('links.pixels')} AS pixel WHERE ${chosen('links')}`,
    ),
    relatedSql(
      'overlays',
      `SELECT CAST(substr(type, 9) AS INTEGER) FROM links WHERE type LIKE 'overlay-%' AND ${chosen('links')}`,
    ),
    relatedSql(
      'splash',
      `SELECT CAST(type AS INTEGER) FROM links WHERE type GLOB '[0-9]*' AND ${chosen('links')}`,
    ),
  ],
  qr: [relatedSql('links', `SELECT link_id FROM qr_codes WHERE ${chosen('qr_codes')}`), channelsOf('qr')],
  bio: [relatedSql('links', blocksOf('link')), relatedSql('files', blocksOf('file')), channelsOf('bio')],
};
const codesSql = `SELECT count(*) AS codes FROM links JOIN qr_codes ON link_id = links.id AND qr_codes.user_id = @from
  WHERE ${chosen('links')}`;

/** Looks up what records refer to, in the reader's thread. */
export function movePreviews(reader: Reader) {
  return async ({ ids, resource, ...wanted }: Wanted): Promise<{ related: RelatedThing[]; qr: number }> => {
    const values = [{ ...wanted, ids: JSON.stringify(ids) }];
    const sql = statements[resource] ?? [];
    const codes = resource === 'links' ? [codesSql] : [];
    const answers = await reader.read([...sql, ...codes].map((each) => ({ sql: each, values })));
    const related = answers.slice(0, sql.length).flat() as unknown as (Omit<RelatedThing, 'taken'> & {
      taken: 0 | 1;
    })[];
    return {
      related: related.map((thing) => ({ ...thing, name: String(thing.name), taken: thing.taken === 1 })),
      qr: Number(answers[sql.length]?.[0]?.codes ?? 0),
    };
  };
}
