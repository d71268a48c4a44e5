import type { IncomingMessage } from 'node:http';
import { readLanguages } from '../text/languages.ts';
import type { Caller } from './caller.ts';

/** A caller's languages, most preferred first: the one chosen in the account, or the browser's. */
export function languagesOf({ caller, request }: { caller: Caller; request: IncomingMessage }): string[] {
  const { language } = caller.person.user;
  return language === '' ? readLanguages(request.headers['accept-language'] ?? '') : [language];
}
