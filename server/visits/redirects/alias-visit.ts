import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Brand } from './pages/brand.ts';

/** A visit to an alias that is not a link's. */
export interface AliasVisit {
  request: IncomingMessage;
  response: ServerResponse;
  /** What the alias stands for, of its kind. */
  id: number;
  /** Whether the page about it is asked for (`/alias+`), which counts nothing. */
  preview: boolean;
  /** The visitor's network address. */
  address: string;
  /** Whether the request came over TLS, to us or to a proxy that we trust. */
  isSecure: boolean;
  /** Of the domain that was visited. */
  brand: Brand | undefined;
}
