import { useInstanceStorage } from '../../api/instance.ts';
import { randomId } from '../../api/random-id.ts';
import type { LinkOrder, LinkStatus, LinkView } from './link-view.ts';

export interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly view: {
    readonly q: string;
    readonly status?: LinkStatus;
    readonly channel?: number;
    readonly campaign?: number;
    readonly pixel?: number;
    readonly member?: number;
    readonly order: LinkOrder;
  };
}

/** Named filters, stored per instance. */
export function useSavedViews() {
  const views = useInstanceStorage<SavedView[]>('links.views', []);
  return {
    views,
    save(name: string, { q, status, channel, campaign, pixel, member, order }: LinkView): void {
      const view = {
        q,
        order,
        ...(status && { status }),
        ...(channel !== undefined && { channel }),
        ...(campaign !== undefined && { campaign }),
        ...(pixel !== undefined && { pixel }),
        ...(member !== undefined && { member }),
      };
      const others = views.value.filter((saved) => saved.name !== name);
      views.value = [...others, { id: randomId(), name, view }];
    },
    remove(id: string): void {
      views.value = views.value.filter((saved) => saved.id !== id);
    },
  };
}

/** Whether a saved view is the current one. */
export function isSameView(one: SavedView['view'], other: LinkView): boolean {
  return (
    one.q === other.q &&
    one.status === other.status &&
    one.channel === other.channel &&
    one.campaign === other.campaign &&
    one.pixel === other.pixel &&
    one.member === other.member &&
    one.order === other.order
  );
}
