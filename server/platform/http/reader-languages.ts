import type { IncomingMessage } from 'node:http';
import { readLanguages } from '../text/languages.ts';
import type { Caller } from './caller.ts';

/**
 * The languages of whoever sends a request, the most wanted first: the one that they chose, or those of the browser.
 */
export function languagesOf({ caller, request }: { caller: Caller; request: IncomingMessage }): string[] {
  const { language } = caller.person.user;
  return language === '' ? readLanguages(request.headers['accept-language'] ?? '') : [language];
}
