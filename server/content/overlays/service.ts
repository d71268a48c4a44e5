import { z } from 'zod';
import {
  type NewOverlay,
  type OverlayChange,
  type OverlayColors,
  type OverlayDraft,
  type OverlayType,
  overlayContents,
} from '../../contract/overlays.ts';
import { planRequired } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import { parseWith } from '../../platform/http/input.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import type { SentFile } from '../../platform/http/sent-file.ts';
import { presentTimestamp } from '../../platform/http/timestamps.ts';
import { csvOf, csvRows } from '../../platform/text/csv.ts';
import type { OverlayContent } from '../../visits/redirects/page-queries.ts';
import { type InterstitialParts, interstitial } from '../interstitials/interstitial.ts';
import type { PicturePreviews, PreviewPicture } from '../pictures/previews.ts';
import type {
  AnswerRow,
  OverlayCounts,
  OverlayFilter,
  OverlayLists,
  OverlayQueries,
  OverlayRecord,
  OverlayRow,
} from './queries.ts';

interface Options extends InterstitialParts {
  queries: OverlayQueries;
  lists: OverlayLists;
  drawPicture: PicturePreviews;
}

const usualPosition = 'bottomright';
const usualColors: OverlayColors = {
  background: '#FFFFFF',
  text: '#15181E',
  button: '#2563EB',
  buttontext: '#FFFFFF',
};

/** CTA overlays: boxes on top of a link's destination (decision 0016). */
export function overlayService(options: Options) {
  const { queries, lists, drawPicture, now } = options;
  const { get, checkPlan, readAddress, fetchPictures, save, changed, remove, restore } =
    interstitial<OverlayRow>(options, {
      label: 'Overlay',
      feature: 'overlay',
      resource: 'overlays',
      picturesOf: ({ content }) => [imageOf(JSON.parse(content) as Record<string, unknown>)],
      queries,
    });

  /** Content of a type by the contract; addresses go through the rules of destinations. Throws 400. */
  function readContent(type: OverlayType, content: unknown, isDraft = false): Record<string, unknown> {
    const read: Record<string, unknown> = parseWith(z.object({ content: overlayContents[type] }), {
      content,
    }).content;
    const { link, image } = read;
    if (typeof link === 'string') read.link = readAddress(link, 'content.link');
    if (typeof image === 'string') {
      // Only a draft may be without its picture.
      read.image = isDraft && image === '' ? null : options.references.readAddress(image, 'content.image');
    }
    return read;
  }

  async function storable(type: OverlayType, content: unknown, account: Account) {
    const read = readContent(type, content);
    const pictures = await fetchPictures(account, { 'content.image': imageOf(read) });
    return { content: JSON.stringify(read), pictures };
  }

  return {
    get,
    remove,
    restore,

    list: (
      account: Account,
      filter: OverlayFilter,
      page: ListPage,
    ): Promise<Page<OverlayRow & OverlayCounts>> => lists.list(account.user.id, filter, page),

    countsOf: (id: number): Promise<OverlayCounts> => lists.countsOf(id),

    listAnswers: async (
      id: number,
      account: Account,
      page: { limit: number; offset: number },
    ): Promise<Page<AnswerRow>> => lists.listAnswers(get(id, account).id, page),

    /**
     * Opens a CSV file of entries, which fails with the error of `check`: that is called for everything that is read.
     * Throws 403 `plan_required` on a plan without exports.
     */
    exportAnswers(id: number, account: Account, check: () => void): SentFile {
      get(id, account);
      if (account.plan.features.export?.enabled === false) throw planRequired('export');
      const { timezone } = account.user;
      async function* content() {
        yield csvOf(['answer', 'date'], []);
        for (let last = 0; ; ) {
          const rows = await lists.answersAfter(id, last);
          check();
          const end = rows.at(-1);
          if (!end) return;
          yield csvRows(rows.map(({ value, at }) => [value, presentTimestamp(at, timezone)]));
          last = end.id;
        }
      }
      return { filename: `overlay-${id}-answers.csv`, type: 'text/csv; charset=utf-8', content: content() };
    },

    /** The overlay as the page of a link would show it, with its picture inside. Nothing is stored. */
    async draft(
      account: Account,
      body: OverlayDraft,
    ): Promise<{ overlay: OverlayContent; problem: PreviewPicture['problem'] }> {
      checkPlan(account);
      const content = readContent(body.type, body.content, true);
      const { address, problem } = await drawPicture(account.user.id, imageOf(content), 'content.image');
      const overlay: OverlayContent = {
        id: 0,
        type: body.type,
        position: body.position ?? usualPosition,
        colors: Object.assign({}, usualColors, body.colors),
        content,
        picture: address,
      };
      return { overlay, problem };
    },

    async add(account: Account, body: NewOverlay): Promise<OverlayRow> {
      const userId = account.user.id;
      checkPlan(account, true);
      const { content, pictures } = await storable(body.type, body.content, account);
      const record: OverlayRecord = {
        name: body.name,
        type: body.type,
        position: body.position ?? usualPosition,
        colors: JSON.stringify({ ...usualColors, ...body.colors }),
        content,
      };
      // Again: others may have been created while a picture was fetched.
      checkPlan(account, true);
      const id = save(account, pictures, () => queries.insert(userId, record, now()));
      changed(userId, id);
      return get(id, account);
    },

    async update(id: number, account: Account, body: OverlayChange): Promise<OverlayRow> {
      const userId = account.user.id;
      checkPlan(account);
      const before = get(id, account);
      const type = body.type ?? before.type;
      const needsContent = body.content !== undefined || type !== before.type;
      const sent = needsContent ? await storable(type, body.content, account) : undefined;
      // A picture may have taken a while: what else was changed meanwhile stays changed.
      const row = get(id, account);
      const record = {
        name: body.name ?? row.name,
        type: sent === undefined ? row.type : type,
        position: body.position ?? row.position,
        colors: JSON.stringify({ ...(JSON.parse(row.colors) as OverlayColors), ...body.colors }),
        content: sent?.content ?? row.content,
      };
      save(account, sent?.pictures ?? [], () => queries.update(id, record));
      changed(userId, id);
      return get(id, account);
    },
  };
}

export type OverlayService = ReturnType<typeof overlayService>;

function imageOf({ image }: Record<string, unknown>): string | null {
  return typeof image === 'string' ? image : null;
}
