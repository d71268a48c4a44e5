import { parseArgs } from 'node:util';

/** How a start at login is told from one by hand: it shows no window. */
export const hiddenArgument = '--hidden';

/** What a person who starts the sources can say: `npm start -- --port 9000 --data ../elsewhere`. */
export interface StartOptions {
  readonly port?: number;
  readonly data?: string;
}

/** The options among all the arguments, many of which are Electron's. Throws an error in a sentence for an odd port. */
export function startOptionsOf(args: readonly string[]): StartOptions {
  const { port, data } = parseArgs({
    args: [...args].filter((argument, index) => isOurs(argument) || isOurs(args[index - 1] ?? '')),
    options: { port: { type: 'string' }, data: { type: 'string' } },
    allowPositionals: true,
  }).values;
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)) {
    throw new Error(`--port ${port} is no port. Give a number from 1 to 65535.`);
  }
  return { ...(port !== undefined && { port: Number(port) }), ...(data !== undefined && { data }) };
}

function isOurs(argument: string): boolean {
  return /^--(port|data)(=|$)/.test(argument);
}
