import { type DomainApps, domainApps } from '../../../server/contract/domains.ts';

/** A domain's apps as text: one app per line, followed by its paths or fingerprints. */
export interface AppLines {
  appleapps: string;
  androidapps: string;
}

/** Converts apps to lines of text. */
export function linesOfApps(apps: DomainApps | null | undefined): AppLines {
  return {
    appleapps: (apps?.apple ?? []).map(({ id, paths }) => [id, ...paths].join(' ')).join('\n'),
    androidapps: (apps?.android ?? [])
      .map(({ package: name, fingerprints }) => [name, ...fingerprints].join(' '))
      .join('\n'),
  };
}

/** Converts lines of text to apps in API format; null if there are none. Validation is done by `appFaults`. */
export function appsOfLines({ appleapps, androidapps }: AppLines): DomainApps | null {
  const apple = linesOf(appleapps).map(([id = '', ...paths]) => ({ id, paths }));
  const android = linesOf(androidapps).map(([name = '', ...fingerprints]) => ({
    package: name,
    fingerprints,
  }));
  return apple.length + android.length === 0 ? null : { apple, android };
}

/** Errors by field: the first of each, with its line number. */
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
