import { join } from 'node:path';
import { localId, type StoredInstances, storedInstances } from '../instances/instances.ts';
import { type LogFile, logFile } from '../server/log-file.ts';
import { type JsonFile, jsonFile } from './json-file.ts';
import { type Preferences, preferences } from './preferences.ts';
import { type StoredSecrets, storedSecrets } from './secrets.ts';

/** The app's own files, separate from the server's data. */
export interface AppFiles {
  readonly log: LogFile;
  readonly preferences: JsonFile<Preferences>;
  readonly instances: JsonFile<StoredInstances>;
  readonly keys: JsonFile<StoredSecrets>;
  /** Reads every file, and returns a message for each that is damaged entirely or in part. */
  findDamages(): readonly string[];
}

/** Opens the files in the app's settings folder. No damage to them prevents the app from starting. */
export function appFiles(folder: string, now: () => Date): AppFiles {
  const damages: string[] = [];
  const log = logFile({
    path: join(folder, 'logs', 'waypost.log'),
    now,
    onDamage: (message) => damages.push(message),
  });
  const onDamage = (message: string) => {
    log.note(message);
    damages.push(message);
  };
  const files = {
    preferences: jsonFile({
      path: join(folder, 'preferences.json'),
      schema: preferences,
      empty: {},
      onDamage,
    }),
    instances: jsonFile({
      path: join(folder, 'instances.json'),
      schema: storedInstances,
      empty: { remotes: [], current: localId },
      onDamage,
    }),
    keys: jsonFile({ path: join(folder, 'keys.json'), schema: storedSecrets, empty: {}, onDamage }),
  };
  return {
    log,
    ...files,
    findDamages() {
      for (const file of Object.values(files)) file.read();
      return damages;
    },
  };
}
