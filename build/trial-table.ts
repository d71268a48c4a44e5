/** The result of a fault trial. */
export interface Trial {
  /** The fault's id, such as `F-01`, or the file's name. */
  row: string;
  /** The fault that was injected. */
  what: string;
  tried: number;
  survived: number;
  /** Number of acknowledged writes that were lost. */
  lost: number;
  /** Context for the numbers: what could have been lost, or why there are none. */
  note?: string;
}

const mostCharacters = 72;

/** Formats trials as a table, sorted by row, with a total. */
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
