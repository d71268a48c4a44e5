import { Router } from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { AnyEndpoint } from '../../contract/endpoint.ts';
import type { RecordActivity } from '../audit/record-activity.ts';
import { accountParty } from '../concurrency/fair-queue.ts';
import type { Creators, RecordVersions } from '../database/authorship.ts';
import type { DiskSpace } from '../database/disk-space.ts';
import { diskFull, methodNotAllowed, Refusal, tooMany, unauthorized, unknownEndpoint } from '../errors.ts';
import { addressOf, networkOf } from './addresses.ts';
import { callerAgain } from './admission.ts';
import type { Authenticate, Caller } from './caller.ts';
import { drainThenClose } from './drain-then-close.ts';
import { isEncrypted } from './encryption.ts';
import { failureReply } from './errors.ts';
import { jsonHeaders, rateHeaders } from './headers.ts';
import { type HostList, misdirected, readHost, refuseForeignOrigin } from './hosts.ts';
import { asksForLongPage, isPaged, longPageQueue } from './long-pages.ts';
import type { OngoingRequests } from './ongoing.ts';
import type { Allowance, RateLimiters } from './rate-limit.ts';
import { budgets } from './request-limits.ts';
import { sendReply } from './sent-reply.ts';
import type { Route } from './serve.ts';
import { unreadAnswers } from './unread-answers.ts';
import type { WriteGate } from './write-gate.ts';

interface Options {
  routes: Route[];
  hosts: HostList;
  authenticate: Authenticate;
  ongoing: OngoingRequests;
  /** Windows of keys and of addresses are kept apart: addresses cost nothing, and must not push a key's window out. */
  limiters: RateLimiters;
  /** Requests a minute of an API key that has no limit of its own. */
  ratelimit: () => number;
  trustedProxies: () => readonly string[];
  log: Logger;
  space: Pick<DiskSpace, 'mayWrite' | 'noteFault'>;
  /** Through which everything goes that writes. */
  writes: Pick<WriteGate, 'check' | 'enter'>;
  /** Who created the records of an account. */
  creators: Creators;
  versionOf: RecordVersions;
  /** Notes what requests do to the records of accounts. */
  activity: RecordActivity;
  /** Checks every reply against the contract; for tests, where an answer that breaks it must fail. */
  checkReplies?: boolean;
}

/**
 * The pipeline of every request under /api: host check → authenticate → rate limit → route → handler → envelope.
 * Returns the Koa application; whatever is thrown on the way is answered in one place.
 */
export function apiApplication(options: Options): Koa {
  const { routes, hosts, authenticate, ongoing, limiters, log, checkReplies = false } = options;
  const application = new Koa();
  const router = new Router({ strict: true, sensitive: true });
  const unread = unreadAnswers();
  const longPages = longPageQueue();
  const publicPaths = new Set(
    routes
      .filter((known) => known.endpoint.access === 'public')
      .map((known) => known.endpoint.path as string),
  );

  application.use(async (context, next) => {
    context.set(jsonHeaders);
    const address = addressOf(context.req, options.trustedProxies());
    context.state.address = address;
    try {
      await next();
    } catch (thrown) {
      options.space.noteFault(thrown);
      const failure = failureReply(thrown, log);
      // A refusal before authentication still carries the three headers, of the address's window.
      if (!context.response.get('X-RateLimit-Limit')) {
        context.set(rateHeaders(limiters.addresses.look(networkOf(address), budgets.keyless)));
      }
      context.set(failure.headers);
      context.status = failure.status;
      if (context.req.complete) context.body = failure.body;
      else refuseUnread(context, JSON.stringify(failure.body));
    }
  });

  application.use(async (context, next) => {
    const host = readHost(context.req);
    if (!host || !hosts.opensAdmin(host, isEncrypted(context.req))) throw misdirected();
    refuseForeignOrigin(context.req, hosts);
    await next();
  });

  application.use(async (context, next) => {
    const address = context.state.address as string;
    const caller = authenticate(context.req, address);
    const allowance = consume(caller, address);
    context.set(rateHeaders(allowance));
    if (!allowance.allowed) {
      const message = `Too many requests. Retry in ${allowance.retryAfter} seconds.`;
      throw tooMany('rate_limited', message, allowance.retryAfter);
    }
    if (!caller && !publicPaths.has(context.path)) throw unauthorized();
    if (caller?.refusal && !publicPaths.has(context.path)) throw caller.refusal;
    context.state.caller = caller;
    context.state.creatorOf = options.creators.creatorOf;
    context.state.nameOf = options.creators.nameOf;
    context.state.versionOf = options.versionOf;
    context.state.authenticateAgain = () => authenticate(context.req, address);
    if (caller) ongoing.add(caller, { request: context.req, response: context.res });
    await next();
  });

  application.use(async (context, next) => {
    const known = router.match(context.path, context.method).path;
    // A path that has a name of its own is never read as one with an id: /api/url/add is not a link with the id "add".
    const named = known.filter(({ path }) => path === context.path);
    const allowed = (named.length > 0 ? named : known).flatMap(({ methods }) => methods);
    if (allowed.length === 0) throw endpointNotFound(context.path);
    if (!allowed.includes(context.method)) throw methodNotAllowed([...new Set(allowed)]);
    await next();
  });

  for (const known of routes) {
    const { endpoint } = known;
    const hasPages = isPaged(endpoint);
    router.register(endpoint.path, [endpoint.method], async (context: Koa.Context) => {
      const caller = context.state.caller as Caller | undefined;
      const address = context.state.address as string;
      const isWrite = endpoint.method !== 'GET' && !endpoint.reads;
      const party = caller ? accountParty(caller.user.id) : networkOf(address);
      if (!hasPages || !asksForLongPage(context)) {
        await answer(caller);
        return;
      }
      await longPages.run(party, async () => {
        // Who has waited may be gone, or their key.
        if (!context.res.destroyed) await answer(caller && callerAgain(context));
      });

      async function answer(asking: Caller | undefined): Promise<void> {
        const params = (context as unknown as { params: Record<string, string> }).params;
        if (!isWrite) unread.check(party);
        if (isWrite && !options.space.mayWrite() && !freesSpace(endpoint)) throw diskFull();
        if (isWrite && !endsRestore(endpoint)) {
          options.writes.check();
          // Let in once the body is there: one that takes minutes would hold a restore up for as long.
          context.state.enterWrite = options.writes.enter;
        }
        const noteDone = isWrite && asking ? options.activity.begin(endpoint, params, asking) : undefined;
        const reply = await known.answer(context, asking, params);
        if (reply === undefined) return;
        // What is sent again is answered again, and was noted the first time.
        const isReplayed = Boolean(context.response.get('Idempotency-Replayed'));
        if (asking && noteDone && !isReplayed) {
          const { body = {} } = context.request as { body?: Record<string, unknown> };
          noteDone({ caller: asking, address, body, reply });
        }
        if (checkReplies) endpoint.reply.parse(reply);
        context.status = endpoint.status;
        await sendReply(context, { error: 0, ...(reply as object) }, { unread, party, isRead: !isWrite });
      }
    });
  }
  application.use(router.routes());

  application.on('error', (error: NodeJS.ErrnoException) => {
    // A client that went away in the middle of an answer is no fault of ours.
    const gone = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'];
    if (!gone.includes(error.code ?? '')) log.warn({ err: error }, 'response failed');
  });
  return application;

  function consume(caller: Caller | undefined, address: string): Allowance {
    if (!caller) return limiters.addresses.take(networkOf(address), budgets.keyless);
    const { id, kind, ratelimit } = caller.key;
    return limiters.keys.take(
      String(id),
      ratelimit ?? (kind === 'session' ? budgets.session : options.ratelimit()),
    );
  }
}

/** What may be written on a full disk: what deletes, what may lead to less being kept, and signing in to do so. */
function freesSpace({ method, path }: AnyEndpoint): boolean {
  return method === 'DELETE' || writtenOnFullDisk.has(path);
}

const writtenOnFullDisk = new Set<string>([
  '/api/auth/login',
  '/api/auth/logout',
  '/api/urls/bulk',
  '/api/urls/bulk/:id/cancel',
  '/api/settings',
]);

/** Giving a restore up is what opens the gate again. */
function endsRestore({ path }: AnyEndpoint): boolean {
  return path === '/api/backup/:id/cancel';
}

/** Answers a request whose body was not read to its end: the rest must not be taken for the next request. */
function refuseUnread(context: Koa.Context, text: string): void {
  context.set('Connection', 'close');
  context.type = 'json';
  context.body = drainThenClose(context.req, text);
  context.length = Buffer.byteLength(text);
}

/** 404 that tells a client which joins its addresses carelessly what to leave out. */
function endpointNotFound(path: string): Refusal {
  if (!/\/\/|.\/$/.test(path)) return unknownEndpoint();
  const message =
    'This address of the interface was not found. Leave out doubled slashes and the one at its end.';
  return new Refusal(404, message, { code: 'not_found' });
}
