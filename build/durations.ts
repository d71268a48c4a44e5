/** How long a file of tests took. */
export interface FileDuration {
  readonly project: string;
  readonly file: string;
  readonly tests: number;
  /** From the beginning of its loading to the end of its last hook. Milliseconds. */
  readonly milliseconds: number;
}

const mostFiles = 10;

/**
 * Says which files took longest, and what each project took in all. The files of a project run beside each other, so a
 * project is sooner done than its sum says.
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
