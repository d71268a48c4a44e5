import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { type QrFormat, qrFormatOf } from '../../contract/qr.ts';
import { Refusal } from '../../platform/errors.ts';
import { networkOf } from '../../platform/http/addresses.ts';
import { hasCopy } from '../../platform/http/entity-tags.ts';
import { readLanguages } from '../../platform/text/languages.ts';
import { sendPage, sendText } from '../../visits/redirects/answers.ts';
import { messagePage } from '../../visits/redirects/pages/pages.ts';
import { textsFor } from '../../visits/redirects/pages/texts.ts';
import type { QrAnswers } from '../../visits/redirects/qr-visits.ts';
import { contentFile } from './files.ts';
import { type QrImages, type Rendering, readExtent } from './images.ts';
import { contentPage, destinationPage } from './pages.ts';
import type { QrQueries, QrRow } from './queries.ts';
import { contentOf } from './record.ts';

interface Options {
  queries: Pick<QrQueries, 'findPublic'>;
  images: QrImages;
  /** Notifies live pages of scans. */
  onScans: (userId: number, ids: number[]) => void;
  log: Pick<Logger, 'error'>;
}

/** The minimum interval between two notifications of live pages. */
const tellEveryMs = 500;
/** A rendering is someone else's document on our host: no script, no origin. */
const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox";

interface ImageExchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The visitor's address. */
  address: string;
}

/** Answers the public addresses of QR codes. */
export function qrAnswers({ queries, images, onScans, log }: Options): QrAnswers {
  const scans = new Map<number, Set<number>>();

  function sendImage(
    { request, response }: ImageExchange,
    { type, etag, body }: Rendering,
    name: string,
    way: 'inline' | 'attachment',
  ): void {
    const headers = {
      ETag: etag,
      'Cache-Control': 'public, max-age=300',
      'Content-Security-Policy': policy,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
    };
    if (hasCopy(request, etag)) {
      response.writeHead(304, headers).end();
      return;
    }
    response.writeHead(200, {
      ...headers,
      'Content-Type': type,
      'Content-Length': body.length,
      'Content-Disposition': `${way}; filename*=UTF-8''${encodeURIComponent(name)}`,
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  /** Responds with a picture once it is drawn, or with a page that says why there is none. `about` is for the log. */
  function answerDrawn(exchange: ImageExchange, about: object, answer: () => Promise<void>): void {
    const { request, response } = exchange;
    const texts = () => textsFor(readLanguages(request.headers['accept-language'] ?? ''));
    answer().catch((error) => {
      if (error instanceof Refusal && error.status === 503) {
        sendPage(request, response, messagePage(texts(), 'unavailable', 503, ['Retry-After', '2']));
        return;
      }
      log.error({ err: error, ...about }, 'a QR code could not be drawn');
      if (response.headersSent) response.destroy();
      else sendPage(request, response, messagePage(texts(), 'failed', 500));
    });
  }

  function image(exchange: ImageExchange, row: QrRow, format: QrFormat, parameters: URLSearchParams): void {
    const extent = readExtent(parameters.get('size'));
    const way = parameters.has('download') ? 'attachment' : 'inline';
    answerDrawn(exchange, { qr: row.id }, async () => {
      const drawn = await images.render(row, format, extent, networkOf(exchange.address));
      sendImage(exchange, drawn, `${row.alias}.${format}`, way);
    });
  }

  function tell(): void {
    const told = [...scans];
    scans.clear();
    for (const [userId, ids] of told) onScans(userId, [...ids]);
  }

  return {
    file(exchange, id, name, query) {
      const row = queries.findPublic(id);
      if (!row) return false;
      const format = qrFormatOf(name);
      if (format) {
        image(exchange, row, format, new URLSearchParams(query));
        return true;
      }
      const file = contentFile(row, name);
      if (!file) return false;
      sendText(exchange.request, exchange.response, 200, file.text, [
        ...['Content-Type', `${file.type}; charset=utf-8`, 'Cache-Control', 'private, no-store'],
        ...['Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`],
        ...['Content-Security-Policy', "default-src 'none'; sandbox", 'X-Content-Type-Options', 'nosniff'],
      ]);
      return true;
    },
    draw(exchange, text) {
      answerDrawn(exchange, { text }, async () => {
        sendImage(exchange, await images.plain(text, networkOf(exchange.address)), 'qr.svg', 'inline');
      });
    },
    page(id, texts) {
      const row = queries.findPublic(id);
      return row && contentPage(texts, contentOf(row), row.alias);
    },
    preview(id, texts) {
      const row = queries.findPublic(id);
      return row && destinationPage(texts, row);
    },
    scanned(userId, id) {
      if (scans.size === 0) setTimeout(tell, tellEveryMs).unref();
      const ids = scans.get(userId) ?? new Set();
      scans.set(userId, ids.add(id));
    },
  };
}
