import type { NewSplash, SplashChange } from '../../contract/splash.ts';
import type { Account } from '../../platform/http/caller.ts';
import type { ListPage, Page } from '../../platform/http/pagination.ts';
import type { SplashContent } from '../../visits/redirects/page-queries.ts';
import { type InterstitialParts, interstitial } from '../interstitials/interstitial.ts';
import type { PicturePreviews, PreviewPicture } from '../pictures/previews.ts';
import type { CountedSplashRow, SplashLists, SplashQueries, SplashRecord, SplashRow } from './queries.ts';

interface Options extends InterstitialParts {
  queries: SplashQueries;
  lists: SplashLists;
  drawPicture: PicturePreviews;
}

const usual: Omit<SplashRecord, 'name'> = {
  title: null,
  message: null,
  product: null,
  avatar: null,
  banner: null,
  counter: 10,
};
const pictureFields = ['avatar', 'banner'] as const;

/** Custom splash pages: what visitors see before a link's destination (decision 0016). */
export function splashService(options: Options) {
  const { queries, drawPicture, now } = options;
  const { get, checkPlan, readAddress, readPicture, fetchPictures, save, changed, remove, restore } =
    interstitial<SplashRow>(options, {
      label: 'Splash page',
      feature: 'splash',
      resource: 'splash',
      picturesOf: ({ avatar, banner }) => [avatar, banner],
      queries,
    });

  /** The fields that were sent, as stored; an empty text means none. Throws 400. */
  function readFields(body: SplashChange): Partial<SplashRecord> {
    const fields: Partial<SplashRecord> = {};
    if (body.name !== undefined) fields.name = body.name;
    if (body.title !== undefined) fields.title = body.title || null;
    if (body.message !== undefined) fields.message = body.message || null;
    if (body.counter !== undefined) fields.counter = body.counter;
    if (body.product !== undefined) fields.product = readAddress(body.product, 'product');
    for (const field of pictureFields) {
      if (body[field] !== undefined) fields[field] = readPicture(body[field], field);
    }
    return fields;
  }

  async function storable(body: SplashChange, account: Account) {
    const fields = readFields(body);
    const { avatar = null, banner = null } = fields;
    return { fields, pictures: await fetchPictures(account, { avatar, banner }) };
  }

  return {
    get,
    remove,
    restore,

    list: (account: Account, q: string | undefined, page: ListPage): Promise<Page<CountedSplashRow>> =>
      options.lists.list(account.user.id, q, page),

    countLinks: (id: number): Promise<number> => options.lists.countLinks(id),

    /** The page as visitors would see it, with its pictures inside. Nothing is stored. */
    async draft(
      account: Account,
      body: SplashChange,
    ): Promise<{ splash: SplashContent; problems: NonNullable<PreviewPicture['problem']>[] }> {
      checkPlan(account);
      const { title, message, product, avatar, banner, counter } = { ...usual, ...readFields(body) };
      const pictures = await Promise.all([
        drawPicture(account.user.id, avatar, 'avatar'),
        drawPicture(account.user.id, banner, 'banner'),
      ]);
      const [drawnAvatar, drawnBanner] = pictures;
      const splash: SplashContent = {
        title,
        message,
        product,
        counter,
        avatar: drawnAvatar.address,
        banner: drawnBanner.address,
      };
      return { splash, problems: pictures.flatMap(({ problem }) => problem ?? []) };
    },

    async add(account: Account, body: NewSplash): Promise<SplashRow> {
      const userId = account.user.id;
      checkPlan(account, true);
      const { fields, pictures } = await storable(body, account);
      const record = { ...usual, ...fields, name: body.name };
      // Again: others may have been created while pictures were fetched.
      checkPlan(account, true);
      const id = save(account, pictures, () => queries.insert(userId, record, now()));
      changed(userId, id);
      return get(id, account);
    },

    async update(id: number, account: Account, body: SplashChange): Promise<SplashRow> {
      const userId = account.user.id;
      checkPlan(account);
      get(id, account);
      const { fields, pictures } = await storable(body, account);
      // A picture may have taken a while: what else was changed meanwhile stays changed.
      save(account, pictures, () => queries.update(id, { ...get(id, account), ...fields }));
      changed(userId, id);
      return get(id, account);
    },
  };
}

export type SplashService = ReturnType<typeof splashService>;
