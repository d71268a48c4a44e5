import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSecure } from '../../platform/http/encryption.ts';
import { catchUp } from '../clicks/catch-up.ts';
import { dictionary } from '../clicks/dictionary.ts';
import { knowsPlaces } from '../clicks/omissions.ts';
import { recorder, type ShippedClick } from '../clicks/recorder.ts';
import { rollups } from '../clicks/rollups.ts';
import { visitorHashes } from '../clicks/visitor-salt.ts';
import { sendPage } from './answers.ts';
import { bioVisitQueries } from './bio-queries.ts';
import { bioVisits } from './bio-visits.ts';
import { campaignQueries } from './campaign-queries.ts';
import { campaignVisits, type PathVisit } from './campaign-visits.ts';
import { commitSchedule } from './commit-schedule.ts';
import { formQueries, guardedForms } from './form-queries.ts';
import { geolocation } from './geolocation.ts';
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
import type { Redirects, RedirectsOptions } from './redirect-path.ts';
import type { SharedLimits } from './shared-limits.ts';
import { shippedForms } from './shipped-forms.ts';
import { simulator } from './simulator.ts';
import { unlockCookies } from './unlock-cookie.ts';
import { unmatchedVisits } from './unmatched-visits.ts';
import { visitRouter } from './visit-router.ts';
import { visitors } from './visitors.ts';

/**
 * The path of a redirect: host → domain, alias → link, link and visit → response, click → log, and only then is the
 * response sent. It bypasses Koa, and is the one place where speed matters more than brevity: no objects or closures
 * that the response does not need, visitors determined once, all clicks of an event-loop turn in one commit.
 */
export function redirects(options: RedirectsOptions): Redirects {
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
  const { scheduleCommit, handOn } = commitSchedule({
    noticeOthers() {
      if (lookup.refresh()) clickLog.refresh();
    },
    commit: clickLog.commit,
    count: counting.wake,
    onRecorded: answersFor?.onRecorded,
    checkpoints: options.checkpoints,
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
    trustedProxies,
  });
  router.mount('assets', pageFonts({ log }));
  void places.warm();
  handOn();

  /** The name of the edge reveals the visitor's approximate location, as edges are near their visitors. */
  function withoutPlace(click: ShippedClick): ShippedClick {
    const knows = knowsPlaces(people.omissions(queries.ownerOf(click.linkId) ?? null));
    return knows ? click : { ...click, edge: '' };
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
