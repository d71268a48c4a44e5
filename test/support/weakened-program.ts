import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Copies the built server into a folder with one change: user data is committed with `synchronous=NORMAL`, too. A
 * power-cut test that finds nothing wrong with this server would find nothing at all. Returns the path of the program.
 */
export function weakenedProgram(folder: string): string {
  const main = join(folder, 'out/main');
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'out'), join(folder, 'out'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), readFileSync(join(root, 'package.json')));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  let changed = 0;
  for (const name of readdirSync(main).filter((each) => each.endsWith('.js'))) {
    const path = join(main, name);
    const source = readFileSync(path, 'utf8');
    const weakened = source
      .replace(/`synchronous = \$\{synchronous\}`/, '"synchronous = NORMAL"')
      // It reads back what it set.
      .replace(/^(\s+)synchronous,$/m, '$1synchronous: 1,');
    if (weakened === source) continue;
    writeFileSync(path, weakened);
    changed += 1;
  }
  if (changed === 0) throw new Error('The built server has another way now to set how it commits.');
  return join(main, 'server.js');
}
