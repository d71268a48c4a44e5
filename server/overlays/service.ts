import { z } from 'zod';
import {
  type NewOverlay,
  type OverlayChange,
  type OverlayColors,
  type OverlayType,
  overlayContents,
} from '../contract/overlays.ts';
import type { Transactions } from '../database/transactions.ts';
import { notFound, planRequired } from '../errors.ts';
import type { Page } from '../http/pagination.ts';
import { parseWith } from '../http/serve.ts';
import type { LinkReferences } from '../links/references.ts';
import type { PictureService } from '../pictures/service.ts';
import type { Account } from '../users/service.ts';
import type { AnswerRow, OverlayQueries, OverlayRecord, OverlayRow } from './queries.ts';

interface Options {
  queries: OverlayQueries;
  references: Pick<LinkReferences, 'readDestination'>;
  pictures: PictureService;
  now: () => number;
  transactions: Transactions;
  /** Tells live pages what changed. */
  onChange: (userId: number, resource: string, ids: number[]) => void;
}

const usualPosition = 'bottomright';
const usualColors: OverlayColors = {
  background: '#FFFFFF',
  text: '#15181E',
  button: '#2563EB',
  buttontext: '#FFFFFF',
};

/** CTA overlays: boxes that stand over the destination of a link (decisions, sections 5 and 10). */
export function overlayService(options: Options) {
  const { queries, references, pictures, now, transactions, onChange } = options;

  function get(id: number, account: Account): OverlayRow {
    const row = queries.find(id, account.user.id);
    if (!row) throw notFound('Overlay');
    return row;
  }

  /** Content of a type in stored form; addresses go through the rules of destinations. Throws 400. */
  async function readContent(type: OverlayType, content: unknown, userId: number): Promise<string> {
    const read = parseWith(z.object({ content: overlayContents[type] }), { content }).content;
    const addresses = read as { link?: string | null; image?: string };
    if (addresses.link) addresses.link = references.readDestination(addresses.link, 'content.link');
    if (addresses.image !== undefined) {
      addresses.image = references.readDestination(addresses.image, 'content.image');
      await pictures.keep(userId, addresses.image, 'content.image');
    }
    return JSON.stringify(read);
  }

  return {
    get,

    list: (account: Account, page: { limit: number; offset: number }): Page<OverlayRow> =>
      queries.list(account.user.id, page),

    listAnswers: (id: number, account: Account, page: { limit: number; offset: number }): Page<AnswerRow> =>
      queries.listAnswers(get(id, account).id, page),

    async add(account: Account, body: NewOverlay): Promise<OverlayRow> {
      const userId = account.user.id;
      checkPlan(account, queries.count(userId));
      const record: OverlayRecord = {
        name: body.name,
        type: body.type,
        position: body.position ?? usualPosition,
        colors: JSON.stringify({ ...usualColors, ...body.colors }),
        content: await readContent(body.type, body.content, userId),
      };
      const id = queries.insert(userId, record, now());
      onChange(userId, 'overlays', [id]);
      return get(id, account);
    },

    async update(id: number, account: Account, body: OverlayChange): Promise<OverlayRow> {
      const userId = account.user.id;
      checkPlan(account);
      const before = get(id, account);
      const type = body.type ?? before.type;
      const needsContent = body.content !== undefined || type !== before.type;
      const content = needsContent ? await readContent(type, body.content, userId) : undefined;
      // A picture may have taken a while: what else was changed meanwhile stays changed.
      const row = get(id, account);
      queries.update(id, {
        name: body.name ?? row.name,
        type: content === undefined ? row.type : type,
        position: body.position ?? row.position,
        colors: JSON.stringify({ ...(JSON.parse(row.colors) as OverlayColors), ...body.colors }),
        content: content ?? row.content,
      });
      pictures.sweep(userId);
      onChange(userId, 'overlays', [id]);
      return get(id, account);
    },

    /** Its links lead straight to their destinations then. */
    remove(id: number, account: Account): void {
      get(id, account);
      const userId = account.user.id;
      transactions.atomically(() => {
        queries.remove(id, userId);
        pictures.sweep(userId);
      });
      onChange(userId, 'overlays', [id]);
      onChange(userId, 'links', []);
    },
  };
}

export type OverlayService = ReturnType<typeof overlayService>;

/** 403 `plan_required` on a plan without overlays, or whose number of them is reached. */
function checkPlan({ plan }: Account, count?: number): void {
  const { enabled = false, count: most = -1 } = plan.features.overlay ?? {};
  if (!enabled || (count !== undefined && most >= 0 && count >= most)) throw planRequired('overlay');
}
