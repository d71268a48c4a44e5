import type { Source } from './source.ts';

/** A rule violation: where it is, and what to do about it. */
export interface Finding {
  line: number;
  message: string;
}

/** A machine-checkable rule of ARCHITECTURE.md. */
export interface Rule {
  name: string;
  check: (source: Source) => Finding[];
}

/** The part of the project that a file belongs to: its top-level folder, or one of the two contracts. */
export function partOf(path: string): string {
  if (path.startsWith('server/contract/')) return 'server/contract';
  if (path === 'preload/contract.ts') return 'preload/contract';
  return path.includes('/') ? (path.split('/')[0] as string) : 'configuration';
}

/** Whether a file is product code, as opposed to tests, build or configuration. */
export function isProduct(path: string): boolean {
  return !['test', 'build', 'configuration'].includes(partOf(path));
}
