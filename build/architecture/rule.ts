import type { Source } from './source.ts';

/** Where a file breaks a rule, and what to do about it. */
export interface Finding {
  line: number;
  message: string;
}

/** One rule of ARCHITECTURE.md that a program can check. */
export interface Rule {
  name: string;
  check: (source: Source) => Finding[];
}

/** The part of the project that a file belongs to: its top folder, or one of the two lifted-out contracts. */
export function partOf(path: string): string {
  if (path.startsWith('server/contract/')) return 'server/contract';
  if (path === 'preload/contract.ts') return 'preload/contract';
  return path.includes('/') ? (path.split('/')[0] as string) : 'configuration';
}

/** Whether a file belongs to the product, as opposed to its tests, its build and its configuration. */
export function isProduct(path: string): boolean {
  return !['test', 'build', 'configuration'].includes(partOf(path));
}
