import { parseArgs } from 'node:util';

/** Marks a start at login, which opens no window. */
export const hiddenArgument = '--hidden';

/** Command-line options for development: `npm start -- --port 9000 --data ../elsewhere`. */
export interface StartOptions {
  readonly port?: number;
  readonly data?: string;
}

/**
 * Parses the options, ignoring Electron's own arguments. Throws an error with a readable message for an invalid port.
 */
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
