import type { MovedResource } from '../../contract/moving.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { storedList } from '../../platform/text/stored-json.ts';

/** What a link refers to. */
export interface LinkReferences {
  campaign: number | null;
  weight: number;
  position: number | null;
  type: string;
  pixels: number[];
  channels: number[];
}

/** A link that refers to a record which has left its account. */
export interface DetachedLink {
  id: number;
  references: LinkReferences;
}

interface LinkColumns {
  id: number;
  campaign_id: number | null;
  campaign_weight: number;
  campaign_position: number | null;
  type: string;
  pixels: string;
  channels: string;
}

/** Links of one step. */
const linksPerStep = 20;
const columns = `links.id, campaign_id, campaign_weight, campaign_position, type, pixels,
  (SELECT json_group_array(channel_id) FROM link_channels WHERE link_id = links.id) AS channels`;

/** The type of a link with an overlay or a splash page. */
export function typeOf(resource: 'overlays' | 'splash', id: number): string {
  return resource === 'overlays' ? `overlay-${id}` : String(id);
}

/** SQL of what records refer to: campaigns, channels, pixels, overlays, splash pages, links, files and pictures. */
export function referenceQueries(database: Connection) {
  const ofLink = database.prepare<[number], LinkColumns>(`SELECT ${columns} FROM links WHERE id = ?`);
  const setReferences = database.prepare<{
    id: number;
    campaign: number | null;
    type: string;
    pixels: string;
  }>(
    `UPDATE links SET campaign_id = @campaign, type = @type, pixels = @pixels
     WHERE id = @id AND (campaign_id IS NOT @campaign OR type <> @type OR pixels <> @pixels)`,
  );
  const setPlace = database.prepare<[number, number | null, number]>(
    'UPDATE links SET campaign_weight = ?, campaign_position = ? WHERE id = ?',
  );
  const leaveChannels = database.prepare<[number]>('DELETE FROM link_channels WHERE link_id = ?');
  const enterChannel = database.prepare<[number, number]>(
    `INSERT INTO link_channels (channel_id, link_id, live, created_at)
     SELECT ?, id, trashed_at IS NULL, created_at FROM links WHERE id = ? ON CONFLICT DO NOTHING`,
  );
  const channelsOf = database
    .prepare<[string, number], number>('SELECT channel_id FROM channel_items WHERE type = ? AND item_id = ?')
    .pluck();
  const leaveItem = database.prepare<[string, number]>(
    'DELETE FROM channel_items WHERE type = ? AND item_id = ?',
  );
  const enterItem = database.prepare<{ channel: number; type: 'bio' | 'qr'; item: number }>(
    `INSERT INTO channel_items (channel_id, type, item_id, created_at)
     SELECT @channel, @type, @item, created_at FROM (
       SELECT created_at FROM bio_pages WHERE @type = 'bio' AND id = @item
       UNION ALL SELECT created_at FROM qr_codes WHERE @type = 'qr' AND id = @item) WHERE true
     ON CONFLICT DO NOTHING`,
  );
  const codesOfLink = database
    .prepare<[number, number], number>('SELECT id FROM qr_codes WHERE link_id = ? AND user_id = ?')
    .pluck();
  const code = database.prepare<[number], { link_id: number | null; data: string }>(
    'SELECT link_id, data FROM qr_codes WHERE id = ?',
  );
  const setCode = database.prepare<[number | null, string, number]>(
    'UPDATE qr_codes SET link_id = ?, data = ?, revision = revision + 1 WHERE id = ?',
  );
  const ownerOf = database.prepare<[number], number>('SELECT user_id FROM links WHERE id = ?').pluck();
  const ownerOfFile = database.prepare<[number], number>('SELECT user_id FROM files WHERE id = ?').pluck();
  const address = database.prepare<[number], { alias: string; host: string | null }>(
    'SELECT alias, host FROM links LEFT JOIN domains ON domains.id = domain_id WHERE links.id = ?',
  );
  const blocks = database.prepare<[number], string>('SELECT blocks FROM bio_pages WHERE id = ?').pluck();
  const setBlocks = database.prepare<[string, number]>('UPDATE bio_pages SET blocks = ? WHERE id = ?');
  const domainsOfPage = database
    .prepare<[number, number], number>('SELECT id FROM domains WHERE bio_id = ? AND user_id IS NOT ?')
    .pluck();
  const showOnDomain = database.prepare<{ bio: number | null; id: number; user: number }>(
    'UPDATE domains SET bio_id = @bio WHERE id = @id AND (@bio IS NULL OR (user_id = @user AND bio_id IS NULL))',
  );
  const pages = database.prepare<[number, number, number], { id: number; blocks: string }>(
    `SELECT id, blocks FROM bio_pages WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?`,
  );
  const copyPictures = database.prepare<{ from: number; to: number; urls: string }>(
    `INSERT INTO page_pictures (user_id, url, token, type, body)
     SELECT @to, url, lower(hex(randomblob(16))), type, body FROM page_pictures
     WHERE user_id = @from AND url IN (SELECT value FROM json_each(@urls)) ON CONFLICT (user_id, url)
     DO UPDATE SET shown = 1, uploaded_at = NULL`,
  );
  const pictures = {
    overlays: `SELECT json_extract(content, '$.image') AS url FROM overlays WHERE id = @id AND type = 'image'`,
    splash: `SELECT avatar AS url FROM splash_pages WHERE id = @id UNION SELECT banner FROM splash_pages WHERE id = @id`,
    bio: `SELECT avatar AS url FROM bio_pages WHERE id = @id
      UNION SELECT json_extract(block.value, '$.image') FROM bio_pages, json_each(blocks) AS block WHERE bio_pages.id = @id`,
  };
  const ownUploads = database
    .prepare<{ from: number; urls: string }, string>(
      `SELECT token FROM page_pictures
       WHERE user_id = @from AND url IN (SELECT value FROM json_each(@urls)) AND substr(url, -32) = token`,
    )
    .pluck();
  const copyUpload = database.prepare<{ to: number; old: string; made: string }>(
    `INSERT INTO page_pictures (user_id, url, token, type, body)
     SELECT @to, replace(url, @old, @made), @made, type, body FROM page_pictures WHERE token = @old`,
  );
  const renameUploads = new Map(
    [
      ['overlays', 'UPDATE overlays SET content = replace(content, @old, @made) WHERE id = @id'],
      [
        'splash',
        `UPDATE splash_pages SET avatar = replace(avatar, @old, @made), banner = replace(banner, @old, @made)
         WHERE id = @id`,
      ],
      [
        'bio',
        `UPDATE bio_pages SET avatar = replace(avatar, @old, @made), blocks = replace(blocks, @old, @made)
         WHERE id = @id`,
      ],
    ].map(([resource = '', sql = '']) => [
      resource,
      database.prepare<{ id: number; old: string; made: string }>(sql),
    ]),
  );
  const newToken = database.prepare<[], string>('SELECT lower(hex(randomblob(16)))').pluck();
  const picturesOf = new Map(
    Object.entries(pictures).map(([resource, sql]) => [
      resource,
      database.prepare<{ id: number }, string | null>(sql).pluck(),
    ]),
  );
  const moveTokens = database.prepare<[number, number]>(
    'UPDATE OR IGNORE import_tokens SET user_id = ? WHERE link_id = ?',
  );
  const dropTokens = database.prepare<[number, number]>(
    'DELETE FROM import_tokens WHERE link_id = ? AND user_id = ?',
  );
  // A change of several links stays with those that stay; a moved link takes a copy of it along.
  const moveChanges = database.prepare<{ link: number; from: number; to: number }>(
    `UPDATE changes SET user_id = @to, created_by = nullif(ifnull(created_by, @from), @to)
     WHERE user_id = @from AND id IN (SELECT change_id FROM changed_links WHERE link_id = @link)
       AND NOT EXISTS (SELECT 1 FROM changed_links WHERE change_id = changes.id AND link_id <> @link)`,
  );
  const sharedChanges = database.prepare<
    [number, number],
    { id: number; action: string; at: number; undone_at: number | null; created_by: number | null }
  >(
    `SELECT id, action, at, undone_at, created_by FROM changes
     WHERE id IN (SELECT change_id FROM changed_links WHERE link_id = ?) AND user_id = ? ORDER BY id`,
  );
  const copyChange = database.prepare<[number, string, number, number | null, number | null]>(
    'INSERT INTO changes (user_id, action, at, undone_at, created_by) VALUES (?, ?, ?, ?, ?)',
  );
  const handOver = database.prepare<[number | bigint, number, number]>(
    'UPDATE changed_links SET change_id = ? WHERE change_id = ? AND link_id = ?',
  );

  const inCampaign = database.prepare<Detaching, LinkColumns>(
    `SELECT ${columns} FROM links WHERE campaign_id = @id AND user_id <> @to LIMIT ${linksPerStep}`,
  );
  const inChannel = database.prepare<Detaching, LinkColumns>(
    `SELECT ${columns} FROM link_channels JOIN links ON links.id = link_id
     WHERE link_channels.channel_id = @id AND user_id <> @to LIMIT ${linksPerStep}`,
  );
  const ofType = database.prepare<Detaching & { type: string }, LinkColumns>(
    `SELECT ${columns} FROM links WHERE user_id = @from AND type = @type AND type <> 'direct' LIMIT ${linksPerStep}`,
  );
  const withPixels = database.prepare<Detaching & { after: number }, LinkColumns>(
    `SELECT ${columns} FROM links WHERE user_id = @from AND pixels <> '[]' AND id > @after ORDER BY id LIMIT ${linksPerStep}`,
  );
  const itemsInChannel = database.prepare<Detaching, { type: 'bio' | 'qr'; item_id: number }>(
    `SELECT type, item_id FROM channel_items WHERE channel_id = @id AND CASE type
       WHEN 'bio' THEN (SELECT user_id FROM bio_pages WHERE id = item_id)
       ELSE (SELECT user_id FROM qr_codes WHERE id = item_id) END IS NOT @to LIMIT ${linksPerStep}`,
  );
  const leaveChannel = database.prepare<[number, string, number]>(
    'DELETE FROM channel_items WHERE channel_id = ? AND type = ? AND item_id = ?',
  );

  function read(row: LinkColumns): LinkReferences {
    return {
      campaign: row.campaign_id,
      weight: row.campaign_weight,
      position: row.campaign_position,
      type: row.type,
      pixels: storedList<number>(row.pixels, 'number'),
      channels: JSON.parse(row.channels) as number[],
    };
  }

  return {
    ofLink(id: number): LinkReferences {
      const row = ofLink.get(id);
      if (!row) throw new Error(`there is no link ${id}`);
      return read(row);
    },
    /** Replaces what a link refers to; its weight and position in the campaign are kept if the campaign is. */
    setOfLink(id: number, before: LinkReferences, after: LinkReferences): void {
      const { campaign, type, pixels, channels, weight, position } = after;
      setReferences.run({ id, campaign, type, pixels: JSON.stringify(pixels) });
      if (campaign !== null && campaign !== before.campaign) setPlace.run(weight, position, id);
      if (JSON.stringify(channels) === JSON.stringify(before.channels)) return;
      leaveChannels.run(id);
      for (const channel of channels) enterChannel.run(channel, id);
    },
    channelsOf: (type: 'bio' | 'qr', id: number): number[] => channelsOf.all(type, id),
    setChannels(type: 'bio' | 'qr', id: number, channels: readonly number[]): void {
      leaveItem.run(type, id);
      for (const channel of channels) enterItem.run({ channel, type, item: id });
    },
    codesOfLink: (link: number, account: number): number[] => codesOfLink.all(link, account),
    code: (id: number) => code.get(id),
    setCode: (id: number, link: number | null, data: string): void => void setCode.run(link, data, id),
    ownerOfLink: (id: number): number | undefined => ownerOf.get(id),
    ownerOfFile: (id: number): number | undefined => ownerOfFile.get(id),
    addressOf: (link: number) => address.get(link),
    blocks: (page: number): string => blocks.get(page) ?? '[]',
    setBlocks: (page: number, json: string): void => void setBlocks.run(json, page),
    /** Some bio pages of an account. */
    pages: (account: number, after: number, limit: number) => pages.all(account, after, limit),
    /** The domains of other accounts that show a page. */
    domainsOfPage: (page: number, account: number): number[] => domainsOfPage.all(page, account),
    showOnDomain: (id: number, bio: number | null, user: number): void =>
      void showOnDomain.run({ id, bio, user }),
    /**
     * Copies to an account the pictures that its page shows and another account has. An upload gets a new URL, which
     * the page then uses: the old one ends with the other account's copy.
     */
    copyPictures(resource: 'overlays' | 'splash' | 'bio', id: number, from: number, to: number): void {
      const list = () => (picturesOf.get(resource)?.all({ id }) ?? []).filter((url) => url !== null);
      for (const old of ownUploads.all({ from, urls: JSON.stringify(list()) })) {
        const made = newToken.get() ?? '';
        copyUpload.run({ to, old, made });
        renameUploads.get(resource)?.run({ id, old, made });
      }
      const urls = list();
      if (urls.length > 0) copyPictures.run({ from, to, urls: JSON.stringify(urls) });
    },
    /** Import rows of a link refer to it in its new account. */
    moveTokens(link: number, from: number, to: number): void {
      moveTokens.run(to, link);
      dropTokens.run(link, from);
    },
    /** The history of a link goes along, so that it can be undone in its new account. */
    moveHistory(link: number, from: number, to: number): void {
      moveChanges.run({ link, from, to });
      for (const { id, action, at, undone_at, created_by } of sharedChanges.all(link, from)) {
        const by = created_by ?? from;
        const made = copyChange.run(to, action, at, undone_at, by === to ? null : by);
        handOver.run(made.lastInsertRowid, id, link);
      }
    },

    /** Some links left behind that refer to a moved record. */
    linksReferringTo(resource: MovedResource, bound: Detaching, after: number): DetachedLink[] {
      const rows =
        resource === 'campaigns'
          ? inCampaign.all(bound)
          : resource === 'channels'
            ? inChannel.all(bound)
            : resource === 'pixels'
              ? withPixels.all({ ...bound, after })
              : resource === 'overlays' || resource === 'splash'
                ? ofType.all({ ...bound, type: typeOf(resource, bound.id) })
                : [];
      return rows.map((row) => ({ id: row.id, references: read(row) }));
    },
    itemsReferringTo: (bound: Detaching) => itemsInChannel.all(bound),
    leaveChannel: (channel: number, type: 'bio' | 'qr', id: number): void =>
      void leaveChannel.run(channel, type, id),
  };
}

/** A record that has gone from one account to another. */
interface Detaching {
  id: number;
  from: number;
  to: number;
}

export type ReferenceQueries = ReturnType<typeof referenceQueries>;
