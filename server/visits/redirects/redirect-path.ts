import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Passwords } from '../../identity/keys/passwords.ts';
import type { Checkpoints } from '../../platform/database/checkpoints.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { DiskSpace } from '../../platform/database/disk-space.ts';
import type { CountedLink } from '../../platform/events/counted-link.ts';
import type { WriteGate } from '../../platform/http/write-gate.ts';
import type { Omissions } from '../clicks/omissions.ts';
import type { ShippedClick } from '../clicks/recorder.ts';
import type { AliasKind } from './alias-queries.ts';
import type { AliasVisit } from './alias-visit.ts';
import type { PathVisit } from './campaign-visits.ts';
import type { OnLimit } from './form-bounds.ts';
import type { FormQueries } from './form-queries.ts';
import type { Geolocation } from './geolocation.ts';
import type { QrAnswers } from './qr-visits.ts';
import type { SharedFiles } from './shared-files.ts';
import type { SharedLimits } from './shared-limits.ts';
import type { ShippedForm } from './shipped-forms.ts';
import type { Simulator } from './simulator.ts';
import type { PathAnswer } from './visit-router.ts';
import type { VisitorPrivacy } from './visitors.ts';

export interface Redirects {
  /**
   * Answers a request for any path outside /api and /admin. `host` is the name in the Host header in lower case,
   * without port, already checked. Never throws.
   */
  handle(request: IncomingMessage, response: ServerResponse, host: string): void;
  /** Registers a handler that sees every request first, for paths on all hosts. */
  before(answer: PathAnswer): void;
  /**
   * Registers a handler for paths whose first segment is `prefix`; paths that it does not answer are looked up as
   * aliases.
   */
  mount(prefix: string, answer: PathAnswer): void;
  /** Registers a handler for aliases of a kind, for GET, HEAD and POST. It must not throw. */
  answerAlias(kind: AliasKind, answer: (visit: AliasVisit) => void): void;
  /**
   * Registers a handler for paths with several segments that start with `prefix` and are not a link's alias; paths it
   * does not answer are 404.
   */
  answerPath(prefix: string, answer: (visit: PathVisit) => boolean): void;
  /** Registers the renderer and content pages of QR codes. */
  answerCodes(answers: QrAnswers): void;
  /** Called shortly after clicks are answered, once they are counted; for live views. */
  onCounted(listener: (links: CountedLink[]) => void): () => void;
  /** Returns a link's response to a simulated visitor; nothing is counted. */
  simulate: Simulator;
  /** Commits and answers waiting clicks. */
  flush(): void;
  /** Counts recent clicks, for as long as a response can wait. */
  countRecent(): Promise<void>;
  /**
   * Writes clicks that another machine answered, with what `note` writes, in one transaction; false while that must
   * wait. They are counted like any others.
   */
  storeShipped(clicks: readonly ShippedClick[], note: () => void): boolean;
  /** Stores form entries that another machine received, inside a transaction of `main`. */
  takeForm(form: ShippedForm): void;
  /**
   * Shares the limits of links and files across several machines; undefined while this is the only
   * one.
   */
  shareLimits(shared: () => SharedLimits | undefined): void;
  /** The shared limits of links and files; undefined while this machine is the only one. */
  sharedLimits(): SharedLimits | undefined;
  /** Clears cached owners of links; false if that has to wait (`rollups.ts`). */
  forgetOwners(): boolean;
  /** The visit data that is not stored for an account. */
  omissions(userId: number): Omissions;
  /** Clicks that were answered but could not be written, since the start. */
  lostClicks(): number;
  /** Clears the visitor cache after a privacy setting has changed. */
  settingsChanged(): void;
  /** Stops the counting. */
  close(): void;
}

export interface RedirectsOptions {
  /** The connection of the click log (`synchronous=NORMAL`); links are read on it too. */
  clicks: Connection;
  checkpoints: Checkpoints;
  /** The connection for user data (`synchronous=FULL`); visitors' form entries are written on it. */
  main: Connection;
  /** Called when a form's entries have reached a limit. */
  onFormLimit: OnLimit;
  /** Whether a host is the instance's own; its links are those without a domain. */
  isOwnHost: (host: string) => boolean;
  /** Whether a URL's host (with its port) is the instance's own: prevents redirect loops. */
  isOwnAddress: (url: URL) => boolean;
  /** A text that changes whenever the instance's own names or ports change. */
  ownPlace: () => string;
  /** The instance's public URL without a trailing slash. */
  baseUrl: () => string;
  now: () => number;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  /** Resolves when a form entry may be stored, since many may arrive at once. */
  nextTurn: () => Promise<void>;
  randomBytes: (size: number) => Buffer;
  passwords: Pick<Passwords, 'hasCapacity' | 'verify'>;
  trustedProxies: () => readonly string[];
  /** What is stored about visitors, and whose visits are ignored. */
  privacy: () => VisitorPrivacy;
  log: Pick<Logger, 'error'>;
  /** The disk of the data folder: whether clicks and form entries may be written. */
  space?: Pick<DiskSpace, 'state' | 'mayWrite' | 'noteFault'> | undefined;
  /** The gate for form entries. */
  writes?: Pick<WriteGate, 'check'> | undefined;
  geolocation?: Geolocation | undefined;
  /** Set on an edge, where metrics and limits belong to the origin. */
  answersFor?: AnswersFor | undefined;
}

/** The dependencies of an edge in a fleet. */
export interface AnswersFor {
  /** Signs unlock cookies; the same on all edges and across restarts. */
  unlockKey: Buffer;
  /** Counts clicks of limited links, and downloads of limited files, across all machines. */
  limits: SharedLimits;
  /** Provides the contents of files. */
  files: SharedFiles;
  /** Called after a group of clicks was logged, instead of counting them. */
  onRecorded: () => void;
  /** The names of this machine as in Host headers; called for each request. */
  names: () => readonly string[];
  /** The number of edges, which share the attempts of each network. */
  machines: () => number;
  /** Stores form entries until the origin has them. */
  forms: FormQueries;
}
