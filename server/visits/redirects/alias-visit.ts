import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Brand } from './pages/brand.ts';

/** A visit to an alias of something other than a link. */
export interface AliasVisit {
  request: IncomingMessage;
  response: ServerResponse;
  /** The target's id, within its kind. */
  id: number;
  /** Whether the preview is requested (`/alias+`), which counts nothing. */
  preview: boolean;
  /** The visitor's network address. */
  address: string;
  /** Whether the request used TLS, to us or to a trusted proxy. */
  isSecure: boolean;
  /** Of the requested domain. */
  brand: Brand | undefined;
}
