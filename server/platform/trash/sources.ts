import { entriesSql } from '../text/stored-json.ts';

export type TrashResource = 'campaigns' | 'channels' | 'pixels' | 'overlays' | 'splash' | 'bio' | 'qr';

const withPictures: readonly string[] = ['overlays', 'splash', 'bio'] satisfies TrashResource[];

/** Whether records of a resource show stored pictures. */
export const hasPictures = (resource: string): boolean => withPictures.includes(resource);

/**
 * The rows that go to the trash with a record. They stay within SQL, as a JSON array of arrays: there may be a hundred
 * thousand. Each statement has @id of the record and @user, its account.
 */
export interface Source {
  name: string;
  /** Selects some rows, `[]` if there are none; @after is the first value of the last row taken. */
  take: string;
  /** Removes or detaches @rows. */
  remove: string;
  /** Restores @rows that are still valid, one statement after the other. */
  restore: readonly string[];
}

/** Rows per step: for links, whose triggers recount each one, they take about a millisecond. */
const rowsPerStep = 20;

interface Child {
  table: string;
  /** The foreign key column of the record. */
  owner: string;
  /** The columns that identify a row within the record. */
  key: readonly string[];
  columns: readonly string[];
  /** How restored rows are combined with newer ones that have the same key: added up, or discarded. */
  sum?: string;
  /** Whether a new id is assigned, since the old one may be in use by now. */
  newId?: boolean;
}

/** Rows of a table that belong to one record only. */
function child({ table, owner, key, columns, sum, newId }: Child): Source {
  const all = [...key, ...columns];
  const restored = newId ? columns : all;
  const places = restored.map((column) => `value ->> ${all.indexOf(column)}`);
  const conflict =
    sum === undefined
      ? 'DO NOTHING'
      : `(${[owner, ...key].join(', ')}) DO UPDATE SET ${sum} = ${sum} + excluded.${sum}`;
  return {
    name: table,
    take: `SELECT json_group_array(json_array(${all.join(', ')}))
      FROM (SELECT * FROM ${table} WHERE ${owner} = @id ORDER BY ${key.join(', ')} LIMIT ${rowsPerStep})`,
    remove: `DELETE FROM ${table} WHERE ${owner} = @id AND (${key.join(', ')}) IN (
      SELECT ${key.map((_, index) => `value ->> ${index}`).join(', ')} FROM json_each(@rows))`,
    restore: [
      `INSERT INTO ${table} (${owner}, ${restored.join(', ')})
        SELECT @id, ${places.join(', ')} FROM json_each(@rows) WHERE true ORDER BY key ON CONFLICT ${conflict}`,
    ],
  };
}

/**
 * Links are looked up by these ids: the `+` keeps SQLite from using an index of all links of an account or campaign,
 * which each step would scan.
 */
const firstOfRows = 'SELECT value ->> 0 FROM json_each(@rows)';

/** The links that use an overlay or a splash page. */
function linksOfType(type: string): Source {
  return {
    name: 'links',
    take: `SELECT json_group_array(json_array(id)) FROM (
      SELECT id FROM links WHERE user_id = @user AND type = ${type} AND type <> 'direct' LIMIT ${rowsPerStep})`,
    remove: `UPDATE links SET type = 'direct' WHERE id IN (${firstOfRows})`,
    // Only those that still lead directly to their destinations.
    restore: [
      `UPDATE links SET type = ${type} WHERE +user_id = @user AND +type = 'direct' AND id IN (${firstOfRows})`,
    ],
  };
}

/** The rows that go to the trash with a record of each resource, in this order. */
export const sourcesOf: Record<TrashResource, readonly Source[]> = {
  campaigns: [
    {
      name: 'links',
      take: `SELECT json_group_array(json_array(id, campaign_weight, campaign_position)) FROM (
        SELECT * FROM links WHERE campaign_id = @id LIMIT ${rowsPerStep})`,
      remove: `UPDATE links SET campaign_id = NULL WHERE +campaign_id = @id AND id IN (${firstOfRows})`,
      // Only those that are in no other campaign by now.
      restore: [
        `UPDATE links SET campaign_id = @id
          WHERE id IN (${firstOfRows}) AND +user_id = @user AND +campaign_id IS NULL`,
        // Afterwards: a link added to a campaign loses its weight and position.
        `UPDATE links SET campaign_weight = row.value ->> 1, campaign_position = row.value ->> 2
          FROM json_each(@rows) AS row WHERE links.id = row.value ->> 0 AND +campaign_id = @id`,
      ],
    },
  ],
  channels: [
    {
      name: 'links',
      take: `SELECT json_group_array(json_array(link_id)) FROM (
        SELECT link_id FROM link_channels WHERE channel_id = @id LIMIT ${rowsPerStep})`,
      remove: `DELETE FROM link_channels WHERE channel_id = @id AND link_id IN (${firstOfRows})`,
      restore: [
        `INSERT INTO link_channels (channel_id, link_id, live, created_at)
        SELECT @id, id, trashed_at IS NULL, created_at FROM links WHERE id IN (${firstOfRows}) AND +user_id = @user
        ON CONFLICT DO NOTHING`,
      ],
    },
    {
      name: 'channel_items',
      take: `SELECT json_group_array(json_array(type, item_id, created_at)) FROM (
        SELECT * FROM channel_items WHERE channel_id = @id LIMIT ${rowsPerStep})`,
      remove: `DELETE FROM channel_items WHERE channel_id = @id
        AND (type, item_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(@rows))`,
      restore: [
        `INSERT INTO channel_items (channel_id, type, item_id, created_at)
        SELECT @id, value ->> 0, value ->> 1, value ->> 2 FROM json_each(@rows)
        WHERE CASE value ->> 0
          WHEN 'bio' THEN EXISTS (SELECT 1 FROM bio_pages WHERE id = value ->> 1 AND user_id = @user)
          ELSE EXISTS (SELECT 1 FROM qr_codes WHERE id = value ->> 1 AND user_id = @user) END
        ON CONFLICT DO NOTHING`,
      ],
    },
  ],
  pixels: [
    {
      name: 'links',
      // No index lists the links that use a given pixel: links with any pixel are scanned, and the second value
      // selects.
      take: `SELECT json_group_array(json_array(id, loads)) FROM (
        SELECT id, EXISTS (SELECT 1 FROM ${entriesSql('links.pixels')} WHERE value = @id) AS loads FROM links
        WHERE user_id = @user AND pixels <> '[]' AND id > ifnull(@after, 0) ORDER BY id LIMIT ${rowsPerStep})`,
      remove: `UPDATE links SET pixels = (SELECT json_group_array(value) FROM ${entriesSql('links.pixels')} WHERE value <> @id)
        WHERE id IN (${firstOfRows} WHERE value ->> 1 = 1)`,
      restore: [
        `UPDATE links SET pixels = json_insert(pixels, '$[#]', CAST(@id AS INTEGER))
        WHERE id IN (${firstOfRows} WHERE value ->> 1 = 1) AND +user_id = @user
          AND NOT EXISTS (SELECT 1 FROM ${entriesSql('links.pixels')} WHERE value = @id)`,
      ],
    },
  ],
  overlays: [
    linksOfType("'overlay-' || CAST(@id AS INTEGER)"),
    child({
      table: 'overlay_answers',
      owner: 'overlay_id',
      key: ['id'],
      columns: ['sender', 'value', 'at'],
      newId: true,
    }),
    child({
      table: 'overlay_past_votes',
      owner: 'overlay_id',
      key: ['value'],
      columns: ['votes', 'at'],
      sum: 'votes',
    }),
  ],
  splash: [linksOfType('CAST(CAST(@id AS INTEGER) AS TEXT)')],
  bio: [
    child({
      table: 'bio_counts',
      owner: 'bio_id',
      key: ['hour', 'block'],
      columns: ['visits'],
      sum: 'visits',
    }),
    child({ table: 'bio_block_clicks', owner: 'bio_id', key: ['block'], columns: ['clicks'], sum: 'clicks' }),
    child({
      table: 'bio_messages',
      owner: 'bio_id',
      key: ['id'],
      columns: ['block', 'name', 'email', 'message', 'at'],
    }),
  ],
  qr: [child({ table: 'qr_scans', owner: 'qr_id', key: ['day'], columns: ['scans'], sum: 'scans' })],
};
