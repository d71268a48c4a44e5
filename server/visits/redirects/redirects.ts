import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Passwords } from '../../identity/keys/passwords.ts';
import type { Checkpoints } from '../../platform/database/checkpoints.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { DiskSpace } from '../../platform/database/disk-space.ts';
import type { CountedLink } from '../../platform/events/counted-link.ts';
import { isSecure } from '../../platform/http/encryption.ts';
import type { WriteGate } from '../../platform/http/write-gate.ts';
import { catchUp } from '../clicks/catch-up.ts';
import { dictionary } from '../clicks/dictionary.ts';
import { knowsPlaces, type Omissions } from '../clicks/omissions.ts';
import { recorder, type ShippedClick } from '../clicks/recorder.ts';
import { rollups } from '../clicks/rollups.ts';
import { visitorHashes } from '../clicks/visitor-salt.ts';
import type { AliasKind } from './alias-queries.ts';
import type { AliasVisit } from './alias-visit.ts';
import { sendPage } from './answers.ts';
import { bioVisitQueries } from './bio-queries.ts';
import { bioVisits } from './bio-visits.ts';
import { campaignQueries } from './campaign-queries.ts';
import { campaignVisits, type PathVisit } from './campaign-visits.ts';
import type { OnLimit } from './form-bounds.ts';
import { type FormQueries, formQueries, guardedForms } from './form-queries.ts';
import { type Geolocation, geolocation } from './geolocation.ts';
import { linkLookup } from './link-lookup.ts';
import { linkResponder, type WaitingClick } from './link-responder.ts';
import { notFoundLimiter } from './not-found-limiter.ts';
import { overlayForms } from './overlay-form.ts';
import { pageFonts } from './page-fonts.ts';
import { pageQueries } from './page-queries.ts';
import { messagePage } from './pages/pages.ts';
import { textsFor } from './pages/texts.ts';
import { typePages } from './pages/type-pages.ts';
import { passwordForms } from './password-form.ts';
import { pictures } from './pictures.ts';
import { qrVisitQueries } from './qr-queries.ts';
import { type QrAnswers, qrVisits } from './qr-visits.ts';
import { redirectQueries } from './queries.ts';
import type { SharedFiles } from './shared-files.ts';
import type { SharedLimits } from './shared-limits.ts';
import { type ShippedForm, shippedForms } from './shipped-forms.ts';
import { type Simulator, simulator } from './simulator.ts';
import { unlockCookies } from './unlock-cookie.ts';
import { unmatchedVisits } from './unmatched-visits.ts';
import { type PathAnswer, visitRouter } from './visit-router.ts';
import { type VisitorPrivacy, visitors } from './visitors.ts';

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

interface Options {
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

/** The interval between two checks of the write-ahead log's size; each costs as much as a few redirects. */
const lookMs = 100;

/**
 * The path of a redirect: host → domain, alias → link, link and visit → response, click → log, and only then is the
 * response sent. It bypasses Koa, and is the one place where speed matters more than brevity: no objects or closures
 * that the response does not need, visitors determined once, all clicks of an event-loop turn in one commit.
 */
export function redirects(options: Options): Redirects {
  const { clicks, now, monotonic, nextTurn, log, trustedProxies } = options;
  const { space, answersFor } = options;
  const hasSpace = () => space === undefined || space.state() === 'ok';
  const places = options.geolocation ?? geolocation();
  const queries = redirectQueries(clicks);
  const { isOwnHost, isOwnAddress, ownPlace } = options;
  const lookup = linkLookup({ queries, isOwnHost, isOwnAddress, ownPlace });
  const people = visitors({
    hashes: visitorHashes({ connection: clicks, newSalt: () => options.randomBytes(32) }),
    geolocation: places,
    privacy: options.privacy,
    accountPrivacy: lookup.privacyOf,
  });
  const counted = rollups(clicks);
  const counting = catchUp({
    rollups: counted,
    monotonic,
    log,
    hasSpace: () => space?.state() !== 'full',
    afterSlice: options.checkpoints.consider,
    mustWait: options.checkpoints.isBehind,
  });
  const clickLog = recorder<WaitingClick>({
    connection: clicks,
    dictionary: dictionary(clicks, now),
    answer: (click, verdict) => guard(click.request, click.response, () => responder.finish(click, verdict)),
    log,
    hasSpace,
    onFault: (error) => space?.noteFault(error),
  });
  let sharedLimits = (): SharedLimits | undefined => answersFor?.limits;
  const interstitials = pageQueries(clicks);
  const pages = typePages({ queries: interstitials, randomBytes: options.randomBytes });
  const simulate = simulator({
    addresses: lookup,
    fallbacksOf: queries.fallbacks,
    pages,
    geolocation: places,
  });
  const responder = linkResponder({
    linkLookup: lookup,
    queries,
    visitors: people,
    recorder: clickLog,
    forms: passwordForms({
      passwords: options.passwords,
      monotonic,
      machines: answersFor?.machines,
    }),
    unlockCookies: unlockCookies(answersFor?.unlockKey ?? options.randomBytes(32)),
    pages,
    now,
    isSecure: (request) => isSecure(request, trustedProxies()),
    sharedLimits: () => sharedLimits(),
    scheduleCommit,
    log,
  });
  const campaigns = campaignVisits({
    queries: campaignQueries(clicks),
    linkLookup: lookup,
    visitors: people,
    linkResponder: responder,
    recorder: clickLog,
    guard,
    baseUrl: options.baseUrl,
    now,
  });
  const forms = formQueries({ connection: options.main, onLimit: options.onFormLimit });
  // An edge writes only what waits for its origin.
  const kept = answersFor
    ? guardedForms(answersFor.forms, space, undefined)
    : guardedForms(forms, space, options.writes);
  const takeForm = shippedForms(options.main, forms);
  let drawCode: QrAnswers['draw'] | undefined;
  const bios = bioVisits({
    queries: bioVisitQueries(clicks),
    kept,
    recorder: clickLog,
    guard,
    linkLookup: lookup,
    visitors: people,
    linkResponder: responder,
    drawCode(visit, text) {
      drawCode?.(visit, text);
      return drawCode !== undefined;
    },
    baseUrl: options.baseUrl,
    now,
    monotonic,
    nextTurn,
  });
  const takeAnswer = overlayForms({
    queries: interstitials,
    kept,
    visitors: people,
    now,
    monotonic,
    nextTurn,
  });
  const sendPicture = pictures(interstitials);
  const limiter = notFoundLimiter(monotonic);
  const unmatched = unmatchedVisits({
    linkLookup: lookup,
    visitors: people,
    recorder: clickLog,
    notFoundLimiter: limiter,
    showBio: (visit, id) => bios.show(visit, id, false),
    isSecure: (request) => isSecure(request, trustedProxies()),
    now,
  });
  // Handlers of paths with several segments, by the first segment.
  const paths = new Map<string, (visit: PathVisit) => boolean>([
    ['r', campaigns.answer],
    ['u', campaigns.answer],
    ['bio', bios.follow],
    ['img', ({ request, response }) => sendPicture(request, response)],
    ['o', takeAnswer],
  ]);
  const router = visitRouter({
    linkLookup: lookup,
    findHolder: queries.findHolder,
    answerLink: responder.answer,
    showBio: bios.show,
    paths,
    unmatched,
    notFoundLimiter: limiter,
    canonicalAddress: people.canonical,
    trustedProxies,
  });
  router.mount('assets', pageFonts({ log }));
  let isCommitScheduled = false;
  let isLookScheduled = false;
  void places.warm();
  // A crash may have left clicks uncounted, or not shipped.
  handOn();

  /** At the first request of an event-loop turn: notices other commits, and schedules the group's commit. */
  function scheduleCommit(): void {
    if (isCommitScheduled) return;
    isCommitScheduled = true;
    setImmediate(commitVisits);
    if (lookup.refresh()) clickLog.refresh();
  }

  /** The name of the edge reveals the visitor's approximate location, as edges are near their visitors. */
  function withoutPlace(click: ShippedClick): ShippedClick {
    const knows = knowsPlaces(people.omissions(queries.ownerOf(click.linkId) ?? null));
    return knows ? click : { ...click, edge: '' };
  }

  function commitVisits(): void {
    if (options.checkpoints.isEnding()) {
      setTimeout(commitVisits, 1);
      return;
    }
    isCommitScheduled = false;
    clickLog.commit();
    handOn();
  }

  /** Has recorded clicks counted, here or at the origin. */
  function handOn(): void {
    if (!answersFor) {
      counting.wake();
      return;
    }
    answersFor.onRecorded();
    if (isLookScheduled) return;
    isLookScheduled = true;
    setTimeout(lookAtLog, lookMs).unref();
  }

  /** On an edge nothing else checks the size of the write-ahead log. */
  function lookAtLog(): void {
    isLookScheduled = false;
    options.checkpoints.consider();
  }

  /** Runs a part of an exchange; errors are logged, answered with a page, and affect no other. */
  function guard(request: IncomingMessage, response: ServerResponse, work: () => void): void {
    try {
      work();
    } catch (error) {
      log.error({ err: error }, 'a redirect failed');
      sendPage(request, response, messagePage(textsFor([]), 'failed', 500));
    }
  }

  return {
    handle(request, response, host) {
      guard(request, response, () => {
        if (router.isAnswered(request, response, host)) return;
        scheduleCommit();
        router.answer(request, response, host);
      });
    },
    before: router.before,
    mount: router.mount,
    answerAlias: router.answerAlias,
    answerPath: (prefix, answer) => void paths.set(prefix, answer),
    answerCodes(answers) {
      const codes = qrVisits({
        queries: qrVisitQueries(clicks),
        linkLookup: lookup,
        visitors: people,
        linkResponder: responder,
        recorder: clickLog,
        answers,
        guard,
        now,
      });
      paths.set('qr', codes.answer);
      drawCode = answers.draw;
    },
    onCounted: counted.onCounted,
    simulate(row, visitor) {
      scheduleCommit();
      return simulate(row, visitor);
    },
    flush: () => clickLog.commit(),
    countRecent: counting.countRecent,
    storeShipped(taken, note) {
      if (options.checkpoints.isEnding() || options.checkpoints.isBehind() || !hasSpace()) return false;
      scheduleCommit();
      clickLog.storeShipped(taken.map(withoutPlace), note);
      counting.wake();
      return true;
    },
    takeForm,
    shareLimits(shared) {
      // An edge already shares its origin's limits.
      if (!answersFor) sharedLimits = shared;
    },
    sharedLimits: () => sharedLimits(),
    forgetOwners: counted.forgetOwners,
    omissions(userId) {
      scheduleCommit();
      return people.omissions(userId);
    },
    lostClicks: () => clickLog.lost(),
    settingsChanged: () => people.forget(),
    close: () => counting.close(),
  };
}
