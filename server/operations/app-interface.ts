import type { RequestListener } from 'node:http';
import type { SecureContext } from 'node:tls';
import type { Settings } from '../contract/settings.ts';
import type { Registration } from '../identity/users/service.ts';
import type { Certificates } from '../network/certificates/certificates.ts';
import type { Network } from '../network/sharing/module.ts';
import type { Config } from '../platform/config.ts';
import type { CoreOptions } from '../platform/core.ts';
import type { Geolocation } from '../visits/redirects/geolocation.ts';
import type { AnswersFor, Redirects } from '../visits/redirects/redirect-path.ts';
import type { Services } from './commands/services.ts';

/** What `app.ts` wires the server from. */
export interface AppOptions extends CoreOptions {
  config: Pick<Config, 'settings' | 'vaultKey' | 'timezone'> &
    Partial<Pick<Config, 'desktop' | 'mailPassword' | 'fleet'>>;
  version: string;
  /** The built renderer. */
  adminFolder: string;
  /** Required to set up the instance from another machine while no account exists. */
  setupCode: string;
  geolocation?: Geolocation | undefined;
  /** log2 of the cost of password hashes; tests lower it. */
  passwordCost?: number;
  /** Authorities that mail servers are trusted by, in place of the usual ones; for tests. */
  mailAuthorities?: string;
  /** How many milliseconds shutdown waits for a mail server; tests shorten it. */
  mailLastMs?: number;
  /** Fails a request whose reply breaks the contract; for tests. */
  checkReplies?: boolean;
  maxUploadMb?: () => number;
  orderMs?: number | undefined;
  nameMs?: number | undefined;
  freeBytes?: (folder: string) => Promise<number>;
  /** Closes this app and starts again on the same data folder, with a restored backup in place. */
  restart?: () => void;
  /** The machine's place in its networks; without it nothing can be shared there. */
  network?: Network;
  /** On an edge of a fleet: the differences if another machine has the metrics. */
  answersFor?: AnswersFor;
}

/** The interface of the assembled server for its entry point. */
export interface App {
  handle: RequestListener;
  /** Call it for every connection that was accepted: work that can wait lets the next one in first. */
  noteArrival(): void;
  /** Whether no account exists yet. */
  isFresh(): boolean;
  /** Does the first run from the command line; throws when an account exists. */
  createAdministrator(registration: Registration): Promise<{ userId: number; apiKey: string }>;
  /** The settings that are in force. */
  settings(): Settings;
  /** What the commands of a terminal do things with. */
  services: Services;
  /** Short links and public pages alone. */
  answerPublic: Redirects['handle'];
  /** Visits answered since the start that could not be counted, because the disk is full. */
  lostClicks(): number;
  /** Reloads settings that another process has written. */
  reloadSettings(): void;
  /** Ends what would keep connections open: the live streams. */
  drain(): void;
  /** The HTTPS certificate for a name; undefined if there is none. */
  certificateFor(name: string): SecureContext | undefined;
  certificates: Pick<Certificates, 'forNetworkNames' | 'onNetworkCertificate' | 'onOwnCertificate'>;
  /** Starts the scheduled jobs. */
  startJobs(): void;
  /** Makes the daily backup if it is due; the job does so every few minutes. */
  runBackupSchedule(): Promise<void>;
  /** Ends work in progress and closes everything, even if a part fails; then rethrows that error. */
  close(): Promise<void>;
}
