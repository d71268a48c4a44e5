import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import { readLanguages } from '../../platform/text/languages.ts';
import type { AliasVisit } from '../../visits/redirects/alias-visit.ts';
import { sendPage } from '../../visits/redirects/answers.ts';
import { wrongMethodPage } from '../../visits/redirects/pages/pages.ts';
import type { PasswordGate } from '../../visits/redirects/password-gate.ts';
import type { OpenContent, SharedFiles } from '../../visits/redirects/shared-files.ts';
import type {
  CountedLimit,
  LimitVerdict,
  LimitView,
  SharedLimits,
} from '../../visits/redirects/shared-limits.ts';
import { entityTag, fileAnswerHeaders } from './download-headers.ts';
import {
  type FilePageTexts,
  fileDownloadPage,
  fileMessagePage,
  filePasswordPage,
  filePasswordProblemPage,
  fileTextsFor,
} from './pages.ts';
import { stateOf } from './presenter.ts';
import type { FileQueries, FileRow } from './queries.ts';
import { readRange } from './ranges.ts';
import type { FileStorage } from './storage.ts';

export interface FileDownloads {
  /** Answers a visit. Never throws. */
  handle(visit: AliasVisit): void;
}

interface Options {
  queries: FileQueries;
  /** Where contents are stored: here, or on another machine, which also counts. */
  contents: { own: Pick<FileStorage, 'open'> } | { shared: SharedFiles };
  gate: PasswordGate;
  /** Who counts the downloads of limited files; undefined where this machine does so alone. */
  sharedLimits: () => SharedLimits | undefined;
  now: () => number;
  log: Pick<Logger, 'error'>;
}

/** Bytes that are read ahead of a visitor, twice: two thousand that read nothing must not fill the memory (T-06). */
const readAhead = 64 * 1024;
/** When a content that is on its way is worth asking for again. */
const retrySeconds = 10;
/** The same if the remaining number could not be requested. */
const unaskedSeconds = 5;

/**
 * Answers the addresses of files: the content, always as an attachment (T-17), or a page that says why not. A download
 * is counted by one conditional statement before its first byte; HEAD, ranges, the page about the file and wrong
 * passwords count nothing (decision 0019).
 */
export function fileDownloads(options: Options): FileDownloads {
  const { queries, contents, gate, now, log } = options;

  async function answer(visit: AliasVisit): Promise<void> {
    const { request, response, preview } = visit;
    const { method } = request;
    const texts = textsOf(visit);
    const file = queries.findPublic(visit.id);
    const view = file && (await look(file));
    // A form that broke off meanwhile would be waited for.
    if (response.destroyed) return;
    if (!file || stateOf(file, now()) !== 'active' || view === 'exhausted') {
      sendPage(request, response, fileMessagePage(texts, 'expired', 410));
    } else if (view === 'failed') {
      sendLater(visit, unaskedSeconds);
    } else if (method === 'POST' && (preview || file.password_hash === null)) {
      sendPage(request, response, wrongMethodPage(texts));
    } else if (preview) {
      sendPage(request, response, fileDownloadPage(texts, file));
    } else if (method === 'POST') {
      const locked = { id: file.id, passwordHash: file.password_hash ?? '' };
      await gate.answer(visit, locked, (problem, seconds) =>
        filePasswordProblemPage(texts, problem, seconds),
      );
    } else if (file.password_hash !== null && !isUnlocked(request, file.id, file.password_hash)) {
      sendPage(request, response, filePasswordPage(texts));
    } else {
      await send(visit, file);
    }
  }

  function isUnlocked(request: IncomingMessage, id: number, passwordHash: string): boolean {
    return gate.isOpen(request, { id, passwordHash });
  }

  async function send(visit: AliasVisit, file: FileRow): Promise<void> {
    const { request, response } = visit;
    // With a download limit, each GET is one download: partial requests could not be told apart from several.
    const isLimited = file.max_downloads !== null;
    const wantsRange = request.method === 'GET' && !isLimited && isCurrent(request, file);
    const range = wantsRange ? readRange(request.headers.range, file.size) : undefined;
    if (range === 'unsatisfiable') {
      response.writeHead(416, ['Content-Range', `bytes */${file.size}`, 'Content-Length', '0']).end();
      return;
    }
    if (request.method === 'HEAD') {
      response.writeHead(200, fileAnswerHeaders(file, undefined)).end();
      return;
    }
    const content = await open(file);
    if (!content) {
      sendLater(visit, retrySeconds);
      return;
    }
    try {
      if (hasChanged(file)) {
        await answer(visit);
        return;
      }
      const verdict = range ? 'allowed' : await take(file);
      if (verdict === 'exhausted')
        sendPage(request, response, fileMessagePage(textsOf(visit), 'expired', 410));
      if (verdict === 'failed') sendLater(visit, unaskedSeconds);
      if (verdict !== 'allowed') return;
      response.writeHead(range ? 206 : 200, fileAnswerHeaders(file, range));
      const { start, end } = range ?? { start: 0, end: file.size - 1 };
      const bytes = content.createReadStream({ start, end, highWaterMark: readAhead, autoClose: false });
      // A visitor who disconnects is not an error on our side.
      await pipeline(bytes, response).catch((error) => {
        if (!response.destroyed) throw error;
      });
    } finally {
      await content.close();
    }
  }

  /** Whether the file, or who may download it, changed while its content was fetched. */
  function hasChanged(file: FileRow): boolean {
    if ('own' in contents) return false;
    const current = queries.findPublic(file.id);
    return (
      current?.storage !== file.storage ||
      current.password_hash !== file.password_hash ||
      current.max_downloads !== file.max_downloads ||
      stateOf(current, now()) !== 'active'
    );
  }

  /** A limit counted across several machines; undefined if there is none, or this machine is alone. */
  function sharedLimitOf(file: FileRow): { shared: SharedLimits; counted: CountedLimit } | undefined {
    const shared = file.max_downloads === null ? undefined : options.sharedLimits();
    if (file.max_downloads === null || !shared) return undefined;
    const limit = file.max_downloads - file.free_downloads;
    return { shared, counted: { kind: 'file', id: file.id, createdAt: file.created_at, limit } };
  }

  /** Whether a file has downloads left on all machines together. */
  function look(file: FileRow): 'left' | Promise<LimitView> {
    const limit = sharedLimitOf(file);
    return limit ? limit.shared.look(limit.counted) : 'left';
  }

  /** Counts a download, if one is left. The fleet writes shared counts to the database. */
  function take(file: FileRow): LimitVerdict | Promise<LimitVerdict> {
    const limit = sharedLimitOf(file);
    if (limit) return limit.shared.consume(limit.counted);
    return 'shared' in contents || queries.takeDownload(file.id) ? 'allowed' : 'exhausted';
  }

  function sendLater(visit: AliasVisit, seconds: number): void {
    const headers = ['Retry-After', String(seconds)];
    sendPage(visit.request, visit.response, fileMessagePage(textsOf(visit), 'unavailable', 503, headers));
  }

  /** The content, found to be whole before anything is counted; undefined where it is not here yet. */
  async function open(file: FileRow): Promise<OpenContent | undefined> {
    if ('shared' in contents) return contents.shared.open(file);
    const content = await contents.own.open(file.storage);
    const { size } = await content.stat();
    if (size === file.size) return content;
    await content.close();
    throw new Error(`the stored content of file ${file.id} has ${size} bytes, not ${file.size}`);
  }

  return {
    handle(visit) {
      answer(visit).catch((error) => {
        log.error({ err: error, file: visit.id }, 'a download failed');
        if (visit.response.headersSent) visit.response.destroy();
        else sendPage(visit.request, visit.response, fileMessagePage(textsOf(visit), 'unavailable', 503));
      });
    },
  };
}

function textsOf({ request, brand }: AliasVisit): FilePageTexts {
  return fileTextsFor(readLanguages(request.headers['accept-language'] ?? ''), brand);
}

/** Whether a range would be of the content that the visitor has the other parts of (RFC 9110, section 13.1.5). */
function isCurrent(request: IncomingMessage, file: FileRow): boolean {
  const condition = request.headers['if-range'];
  return condition === undefined || condition === entityTag(file);
}
