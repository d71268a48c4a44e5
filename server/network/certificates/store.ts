import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../platform/database/disk.ts';

/** Keys and certificates in one folder; only this user may read it. */
export interface KeyStore {
  read(name: string): string | undefined;
  /** Replaces a file as a whole, on disk before this returns: key and certificate never belong to different pairs. */
  write(name: string, content: string): void;
  remove(name: string): void;
  list(): string[];
}

/** Opens the folder, making it when it is missing; modes 0700 and 0600 (T-23). */
export function keyStore(folder: string): KeyStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    // What a crash left half written.
    if (name.endsWith('.new')) rmSync(join(folder, name), { force: true });
  }
  return {
    read(name) {
      const path = join(folder, name);
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    },
    write(name, content) {
      writeWhole(join(folder, name), content);
    },
    remove: (name) => rmSync(join(folder, name), { force: true }),
    list: () => readdirSync(folder),
  };
}
