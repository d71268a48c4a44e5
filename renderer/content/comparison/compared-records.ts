import type { LocationQueryValue, RouteLocationRaw } from 'vue-router';
import type { Stats } from '../../../server/contract/stats.ts';

/** Whose statistics can stand side by side. */
const comparedKinds = ['link', 'campaign', 'channel'] as const;
export type ComparedKind = (typeof comparedKinds)[number];

export interface ComparedRecord {
  readonly kind: ComparedKind;
  readonly id: number;
}

/** A record as it is shown, under its key. */
export interface ComparisonRow {
  readonly key: string;
  readonly name: string;
  readonly icon: string;
  readonly to: RouteLocationRaw;
  /** None while they are on their way, and of what is gone. */
  readonly stats: Stats | undefined;
  readonly isLoading: boolean;
}

/** More lines than these are not told apart. */
export const mostCompared = 5;

/** The name of a record in the address, `link-7`. */
export const comparedKey = ({ kind, id }: ComparedRecord): string => `${kind}-${id}`;

/** The records that an address names, each once; what it says besides is left out. */
export function readCompared(sent: LocationQueryValue | LocationQueryValue[] | undefined): ComparedRecord[] {
  const keys = new Set(Array.isArray(sent) ? sent : [sent]);
  return [...keys].flatMap((key) => readKey(key ?? '') ?? []).slice(0, mostCompared);
}

function readKey(key: string): ComparedRecord | undefined {
  const [, name, digits] = /^([a-z]+)-([1-9]\d{0,14})$/.exec(key) ?? [];
  const kind = comparedKinds.find((known) => known === name);
  return kind && { kind, id: Number(digits) };
}
