import type { LinkOrder } from './link-view.ts';

/** The columns that a person can choose; the short link itself always shows. */
export const columnIds = [
  'title',
  'channels',
  'state',
  'clicks',
  'unique',
  'created',
  'expiry',
  'author',
] as const;
export type ColumnId = (typeof columnIds)[number];

/** What is not as usual is marked beside the short link, so a column of states is only there for who wants it. */
export const defaultColumns: readonly ColumnId[] = ['title', 'channels', 'clicks', 'created'];

interface Column {
  /** What the server sorts by, without the direction. */
  readonly order?: 'date' | 'clicks' | 'name';
  /** Width, and from which width of the table on the column has room. Literal, so that the style sheet has them. */
  readonly classes: string;
  readonly numeric?: boolean;
}

export const columns: Record<ColumnId, Column> = {
  title: { order: 'name', classes: 'w-52 hidden @6xl:table-cell' },
  channels: { classes: 'w-40 hidden @5xl:table-cell' },
  state: { classes: 'w-28 hidden @4xl:table-cell' },
  clicks: { order: 'clicks', classes: 'w-24 @max-lg:w-18', numeric: true },
  unique: { classes: 'w-24 hidden @4xl:table-cell', numeric: true },
  created: { order: 'date', classes: 'w-34 hidden @xl:table-cell' },
  expiry: { classes: 'w-34 hidden @5xl:table-cell' },
  /** Only where a team acts. */
  author: { classes: 'w-36 hidden @5xl:table-cell' },
};

/** The order that a click on a column's head asks for: the useful direction first, then the other one. */
export function nextOrder(current: LinkOrder, by: 'date' | 'clicks' | 'name'): LinkOrder {
  const usual = by === 'name' ? 'asc' : 'desc';
  const other = by === 'name' ? 'desc' : 'asc';
  return current === `${by}_${usual}` ? `${by}_${other}` : `${by}_${usual}`;
}
