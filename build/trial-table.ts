/** What a test of a fault tried. */
export interface Trial {
  /** The fault by its number, such as `F-01`, or the name of its file. */
  row: string;
  /** What was done. */
  what: string;
  tried: number;
  survived: number;
  /** What was answered and is not there. */
  lost: number;
  /** How much that says: what there was to lose, or why there is nothing to say. */
  note?: string;
}

const mostCharacters = 72;

/** A table of trials, sorted by row, with a line that sums them up. */
export function trialTable(trials: readonly Trial[]): string {
  const sorted = [...trials].sort((one, other) => one.row.localeCompare(other.row, 'en'));
  const sum = (pick: (trial: Trial) => number) => sorted.reduce((total, trial) => total + pick(trial), 0);
  const lines = [
    ['row', 'fault', 'tried', 'survived', 'lost', ''],
    ...sorted.map(({ row, what, tried, survived, lost, note = '' }) => [
      row,
      shortened(what),
      String(tried),
      String(survived),
      String(lost),
      note,
    ]),
    [
      'all',
      '',
      String(sum(({ tried }) => tried)),
      String(sum(({ survived }) => survived)),
      String(sum(({ lost }) => lost)),
      '',
    ],
  ];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  const isNumber = (column: number) => column >= 2 && column <= 4;
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function shortened(text: string): string {
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters - 1)}…`;
}
