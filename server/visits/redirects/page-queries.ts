import type { OverlayColors, OverlayType } from '../../contract/overlays.ts';
import type { PixelType } from '../../contract/pixels.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { storedList } from '../../platform/text/stored-json.ts';

export interface SplashContent {
  title: string | null;
  message: string | null;
  product: string | null;
  /** URLs of the pictures. */
  avatar: string | null;
  banner: string | null;
  counter: number;
}

export interface OverlayContent {
  id: number;
  type: OverlayType;
  position: string;
  colors: OverlayColors;
  content: Record<string, unknown>;
  /** The URL of the picture. */
  picture: string | null;
}

export interface PixelContent {
  type: PixelType;
  tag: string;
}

/** Queries for the pages of links, which are rare enough to be read every time. */
export function pageQueries(connection: Connection) {
  const splash = connection.prepare<[number, number], SplashContent>(
    `SELECT title, message, product, '/img/' || avatars.token AS avatar, '/img/' || banners.token AS banner, counter
     FROM splash_pages AS pages
     LEFT JOIN page_pictures AS avatars ON avatars.user_id = pages.user_id AND avatars.url = pages.avatar
     LEFT JOIN page_pictures AS banners ON banners.user_id = pages.user_id AND banners.url = pages.banner
     WHERE pages.id = ? AND pages.user_id = ? AND leaving = 0`,
  );
  const overlay = connection.prepare<
    [number, number],
    Omit<OverlayContent, 'colors' | 'content'> & { colors: string; content: string }
  >(
    `SELECT overlays.id, overlays.type, position, colors, content, '/img/' || token AS picture
     FROM overlays
     LEFT JOIN page_pictures ON page_pictures.user_id = overlays.user_id
                            AND page_pictures.url = json_extract(content, '$.image')
     WHERE overlays.id = ? AND overlays.user_id = ? AND leaving = 0`,
  );
  const asking = connection.prepare<[number], { type: OverlayType; content: string }>(
    "SELECT type, content FROM overlays WHERE id = ? AND leaving = 0 AND type IN ('newsletter', 'poll')",
  );
  const pixels = connection.prepare<[string, number], PixelContent>(
    `SELECT type, tag FROM pixels
     WHERE id IN (SELECT value FROM json_each(?)) AND user_id = ? AND leaving = 0 ORDER BY id`,
  );
  const forbidsFrames = connection
    .prepare<[number, string], number>(
      "SELECT verdict = 'forbidden' FROM link_framings WHERE link_id = ? AND address = ?",
    )
    .pluck();
  const picture = connection.prepare<[string], { type: string; body: Buffer }>(
    'SELECT type, body FROM page_pictures WHERE token = ? AND shown = 1',
  );
  return {
    findSplash: (id: number, userId: number): SplashContent | undefined => splash.get(id, userId),
    findOverlay(id: number, userId: number): OverlayContent | undefined {
      const row = overlay.get(id, userId);
      // Both were validated against the contract when they were stored.
      return row && { ...row, colors: JSON.parse(row.colors), content: JSON.parse(row.content) };
    },
    /** A newsletter or poll, with its content. */
    findAsking(id: number): { type: OverlayType; content: Record<string, unknown> } | undefined {
      const row = asking.get(id);
      return row && { type: row.type, content: JSON.parse(row.content) };
    },
    /** `ids` is the JSON text stored with the link. */
    findPixels: (ids: string, userId: number): PixelContent[] =>
      ids === '[]' ? [] : pixels.all(JSON.stringify(storedList<number>(ids, 'number')), userId),
    /** Whether a link's destination refuses to be shown in a frame. */
    forbidsFrames: (linkId: number, address: string): boolean => forbidsFrames.get(linkId, address) === 1,
    findPicture: (token: string) => picture.get(token),
  };
}

export type PageQueries = ReturnType<typeof pageQueries>;
