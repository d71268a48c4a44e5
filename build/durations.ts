/** How long a test file took. */
export interface FileDuration {
  readonly project: string;
  readonly file: string;
  readonly tests: number;
  /** From loading the file to the end of its last hook. Milliseconds. */
  readonly milliseconds: number;
}

const mostFiles = 10;

/**
 * Lists the slowest files and the total time of each project. Files of a project run in parallel, so the wall-clock
 * time is shorter than the total.
 */
export function durationLines(files: readonly FileDuration[]): string[] {
  const slowest = [...files].sort((one, other) => other.milliseconds - one.milliseconds).slice(0, mostFiles);
  const projects = Map.groupBy(files, ({ project }) => project);
  return [
    ...slowest.map(
      ({ project, file, milliseconds }) => `slowest  ${seconds(milliseconds)}  ${project}  ${file}`,
    ),
    ...[...projects].map(([project, own]) => {
      const tests = own.reduce((sum, file) => sum + file.tests, 0);
      const milliseconds = own.reduce((sum, file) => sum + file.milliseconds, 0);
      return `project  ${seconds(milliseconds)}  ${project}: ${tests} tests in ${own.length} files`;
    }),
  ];
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1).padStart(7)} s`;
}
