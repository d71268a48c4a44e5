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
import { warmUpBodies } from './body.ts';
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
  /** Windows of keys and of addresses are separate: addresses cost nothing, and must not evict a key's window. */
  limiters: RateLimiters;
  /** Default requests per minute for an API key. */
  ratelimit: () => number;
  trustedProxies: () => readonly string[];
  log: Logger;
  space: Pick<DiskSpace, 'mayWrite' | 'noteFault'>;
  /** Every write goes through this. */
  writes: Pick<WriteGate, 'check' | 'enter'>;
  /** Looks up who created an account's records. */
  creators: Creators;
  versionOf: RecordVersions;
  /** Waits for a turn of the thread: requests whose bodies arrive together go on one after the other. */
  nextTurn: () => Promise<void>;
  /** Logs changes that requests make to records. */
  activity: RecordActivity;
  /** Checks every response against the contract; for tests, where a violation must fail. */
  checkReplies?: boolean;
}

/**
 * The pipeline of every request under /api: host check → authenticate → rate limit → route → handler → envelope.
 * Returns the Koa application; all errors are turned into responses in one place.
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
    context.state.nextTurn = options.nextTurn;
    try {
      await next();
    } catch (thrown) {
      options.space.noteFault(thrown);
      const failure = failureReply(thrown, log);
      // A rejection before authentication still has the three rate headers, from the address's window.
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
    // Fixed paths take precedence over paths with an id: /api/url/add is not a link with the id "add".
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
        // After waiting, the caller or their key may no longer exist.
        if (!context.res.destroyed) await answer(caller && callerAgain(context));
      });

      async function answer(asking: Caller | undefined): Promise<void> {
        const params = (context as unknown as { params: Record<string, string> }).params;
        if (!isWrite) unread.check(party);
        if (isWrite && !options.space.mayWrite() && !freesSpace(endpoint)) throw diskFull();
        if (isWrite && !endsRestore(endpoint)) {
          options.writes.check();
          // The gate is passed only once the body is complete: a slow body would block a restore for minutes.
          context.state.enterWrite = options.writes.enter;
        }
        const noteDone = isWrite && asking ? options.activity.begin(endpoint, params, asking) : undefined;
        const reply = await known.answer(context, asking, params);
        if (reply === undefined) return;
        // A repeated request gets the stored response, and was logged the first time.
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
  warmUp(router);

  application.on('error', (error: NodeJS.ErrnoException) => {
    // A client that disconnects during a response is not an error on our side.
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

/**
 * Writes permitted on a full disk: those that delete, those that may lead to less being stored, and signing in for
 * them.
 */
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

/** Cancelling a restore reopens the gate. */
function endsRestore({ path }: AnyEndpoint): boolean {
  return path === '/api/backup/:id/cancel';
}

/** Answers a request whose body was not read completely: the rest must not be parsed as the next request. */
function refuseUnread(context: Koa.Context, text: string): void {
  context.set('Connection', 'close');
  context.type = 'json';
  context.body = drainThenClose(context.req, text);
  context.length = Buffer.byteLength(text);
}

/** 404 that tells a client with a sloppy URL which part to leave out. */
function endpointNotFound(path: string): Refusal {
  if (!/\/\/|.\/$/.test(path)) return unknownEndpoint();
  const message = 'Unknown API endpoint. Leave out double slashes and the slash at the end.';
  return new Refusal(404, message, { code: 'not_found' });
}

/**
 * Does before the first requests what visitors would have to wait for meanwhile: the engine compiles a path's pattern to
 * bytecode when it is first tried, and to machine code the second time.
 */
function warmUp(router: Router): void {
  for (let time = 0; time < 2; time += 1) router.match('/', 'GET');
  warmUpBodies().catch(() => {
    // Then the first request reports it.
  });
}
