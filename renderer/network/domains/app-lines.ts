import { type DomainApps, domainApps } from '../../../server/contract/domains.ts';

/** A domain's apps as people write them: an app in a line, what belongs to it behind it. */
export interface AppLines {
  appleapps: string;
  androidapps: string;
}

/** The lines of apps that are there. */
export function linesOfApps(apps: DomainApps | null | undefined): AppLines {
  return {
    appleapps: (apps?.apple ?? []).map(({ id, paths }) => [id, ...paths].join(' ')).join('\n'),
    androidapps: (apps?.android ?? [])
      .map(({ package: name, fingerprints }) => [name, ...fingerprints].join(' '))
      .join('\n'),
  };
}

/** The apps in wire format; null where there are none. Whether they are written well is `appFaults`'. */
export function appsOfLines({ appleapps, androidapps }: AppLines): DomainApps | null {
  const apple = linesOf(appleapps).map(([id = '', ...paths]) => ({ id, paths }));
  const android = linesOf(androidapps).map(([name = '', ...fingerprints]) => ({
    package: name,
    fingerprints,
  }));
  return apple.length + android.length === 0 ? null : { apple, android };
}

/** What is wrong, by field: the first mistake of each, with its line. */
export function appFaults(lines: AppLines, place: (line: number, message: string) => string) {
  const apps = appsOfLines(lines);
  const parsed = apps ? domainApps.safeParse(apps) : undefined;
  const faults = new Map<string, string>();
  for (const { path, message } of parsed?.error?.issues ?? []) {
    const [list, index] = path;
    const name = list === 'apple' ? 'appleapps' : 'androidapps';
    const text = typeof index === 'number' ? place(index + 1, message) : message;
    if (!faults.has(name)) faults.set(name, text);
  }
  return [...faults].map(([name, message]) => ({ name, message }));
}

function linesOf(text: string): string[][] {
  return text
    .split('\n')
    .map((line) => line.split(/[\s,]+/).filter((word) => word !== ''))
    .filter((words) => words.length > 0);
}
