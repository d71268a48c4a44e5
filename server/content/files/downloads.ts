import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import type { Passwords } from '../../identity/keys/passwords.ts';
import { readLanguages } from '../../platform/text/languages.ts';
import type { AliasVisit } from '../../visits/redirects/alias-visit.ts';
import { sendPage } from '../../visits/redirects/answers.ts';
import { wrongMethodPage } from '../../visits/redirects/pages/pages.ts';
import { passwordGate } from '../../visits/redirects/password-gate.ts';
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
  storage: FileStorage;
  passwords: Pick<Passwords, 'hasCapacity' | 'verify'>;
  randomBytes: (size: number) => Buffer;
  now: () => number;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  log: Pick<Logger, 'error'>;
}

/**
 * Answers the addresses of files: the content, always as an attachment (T-17), or a page that says why not. A download
 * is counted by one conditional statement before its first byte; HEAD, ranges, the page about the file and wrong
 * passwords count nothing (decision 0019).
 */
export function fileDownloads(options: Options): FileDownloads {
  const { queries, storage, now, log } = options;
  const gate = passwordGate(options);

  async function answer(visit: AliasVisit): Promise<void> {
    const { request, response, preview } = visit;
    const { method } = request;
    const texts = textsOf(visit);
    const file = queries.findPublic(visit.id);
    if (!file || stateOf(file, now()) !== 'active') {
      sendPage(request, response, fileMessagePage(texts, 'expired', 410));
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
    // One GET is one download where downloads are few: parts of it could not be told from several.
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
    try {
      if (!range && !queries.takeDownload(file.id)) {
        sendPage(request, response, fileMessagePage(textsOf(visit), 'expired', 410));
        return;
      }
      response.writeHead(range ? 206 : 200, fileAnswerHeaders(file, range));
      const { start, end } = range ?? { start: 0, end: file.size - 1 };
      const bytes = content.createReadStream({ start, end, highWaterMark: 256 * 1024, autoClose: false });
      // A visitor who goes away in the middle is no fault of ours.
      await pipeline(bytes, response).catch((error) => {
        if (!response.destroyed) throw error;
      });
    } finally {
      await content.close();
    }
  }

  /** The content, found to be whole before anything is counted. */
  async function open(file: FileRow): Promise<FileHandle> {
    const content = await storage.open(file.storage);
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
