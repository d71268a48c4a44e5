/** An account that records can be moved to. */
export interface MoveTarget {
  readonly id: number;
  readonly name: string;
}
