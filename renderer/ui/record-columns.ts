/** A column of a `RecordTable`; its cells are the slot of its name. */
export interface RecordColumn {
  readonly name: string;
  readonly label: string;
  /** Classes of all its cells: width and responsive visibility. */
  readonly class?: string;
  /** Right-aligned, for numbers. */
  readonly isNumber?: boolean;
}

/** The given columns without those that are `false`. */
export function columnsOf(columns: readonly (RecordColumn | false)[]): RecordColumn[] {
  return columns.filter((column) => column !== false);
}
