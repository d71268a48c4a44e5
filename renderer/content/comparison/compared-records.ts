import type { LocationQueryValue, RouteLocationRaw } from 'vue-router';
import type { Stats } from '../../../server/contract/stats.ts';

/** The kinds of records that can be compared. */
const comparedKinds = ['link', 'campaign', 'channel'] as const;
export type ComparedKind = (typeof comparedKinds)[number];

export interface ComparedRecord {
  readonly kind: ComparedKind;
  readonly id: number;
}

/** A record as displayed, with its key. */
export interface ComparisonRow {
  readonly key: string;
  readonly name: string;
  readonly icon: string;
  readonly to: RouteLocationRaw;
  /** Undefined while loading, and for deleted records. */
  readonly stats: Stats | undefined;
  readonly isLoading: boolean;
}

/** The maximum number of lines that can be told apart. */
export const mostCompared = 5;

/** The key of a record in the URL: `link-7`. */
export const comparedKey = ({ kind, id }: ComparedRecord): string => `${kind}-${id}`;

/** The records listed in the URL, without duplicates; invalid keys are ignored. */
export function readCompared(sent: LocationQueryValue | LocationQueryValue[] | undefined): ComparedRecord[] {
  const keys = new Set(Array.isArray(sent) ? sent : [sent]);
  return [...keys].flatMap((key) => readKey(key ?? '') ?? []).slice(0, mostCompared);
}

function readKey(key: string): ComparedRecord | undefined {
  const [, name, digits] = /^([a-z]+)-([1-9]\d{0,14})$/.exec(key) ?? [];
  const kind = comparedKinds.find((known) => known === name);
  return kind && { kind, id: Number(digits) };
}
