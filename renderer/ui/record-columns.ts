/** A column of a `RecordTable`; its cells are the slot of its name. */
export interface RecordColumn {
  readonly name: string;
  readonly label: string;
  /** Classes of all its cells: their width, and from which width of the page on they are shown. */
  readonly class?: string;
  /** Numbers stand below each other at the end of their cells. */
  readonly isNumber?: boolean;
}

/** The columns of the list that are wanted; leave one out with `false`. */
export function columnsOf(columns: readonly (RecordColumn | false)[]): RecordColumn[] {
  return columns.filter((column) => column !== false);
}
