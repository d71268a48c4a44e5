import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../platform/database/places.ts';
import type { OnProgress } from '../backup/progress.ts';
import type { Terminal } from './command.ts';

/** Runs work with a folder of its own on the disk of the data folder, which is gone afterwards. */
export async function withScratch<Result>(
  data: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  makeFolder(data);
  const folder = mkdtempSync(join(data, 'command-work-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Says how far it is, a line each quarter of a phase. */
export function percentages(terminal: Terminal): OnProgress {
  let told = '';
  return (phase, fraction) => {
    const line = `${phase} ${Math.floor(fraction * 4) * 25} %`;
    if (line === told) return;
    told = line;
    terminal.remark(line);
  };
}
