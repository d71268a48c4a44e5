import { domainToUnicode } from 'node:url';
import { shell } from 'electron';
import { Refused } from '../requests/refused.ts';
import type { Questions } from './questions.ts';

/**
 * The longest address that Windows passes to a browser (Electron's documentation of `shell.openExternal`). Characters.
 */
const longestOnWindows = 2_081;

/** How much of an address a dialog shows; more would push its button off the screen. Characters. */
const longestShown = 300;

/**
 * Opens an address in the system's browser; returns whether it was opened. Only http and https without credentials:
 * other schemes can start programs. For a punycode host, which may imitate a known name, it first shows the real host
 * and asks. Throws Refused for a disallowed address (T-31), and if no browser opens it, after an error dialog.
 */
export async function openExternal(
  address: string,
  ask: Questions['ask'],
  platform: NodeJS.Platform,
): Promise<boolean> {
  const url = webAddress(address);
  if (!url) throw new Refused('Only http and https URLs can be opened.');
  if (url.hostname.includes('xn--') && !(await isMeant(url.hostname, ask))) return false;
  try {
    await shell.openExternal(url.href);
    return true;
  } catch {
    const isTooLong = platform === 'win32' && url.href.length > longestOnWindows;
    // Show the error here, because many callers in the page do not wait for the result.
    await ask({
      type: 'error',
      message: 'Could not open the URL',
      detail: `No browser opened ${url.href.slice(0, longestShown)}. ${
        isTooLong
          ? 'Windows cannot open a URL of more than 2,081 characters. Copy it, and paste it into your browser.'
          : 'Choose a default browser in the system settings, then try again.'
      }`,
      buttons: ['OK'],
    });
    return false;
  }
}

function webAddress(address: string): URL | undefined {
  if (address.length > 8_192 || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPlain ? url : undefined;
}

async function isMeant(host: string, ask: Questions['ask']): Promise<boolean> {
  const answer = await ask({
    type: 'warning',
    message: `Open ${host}?`,
    detail: `This address is shown as ${domainToUnicode(host)}. Letters of other alphabets can look like the ones you know.`,
    buttons: ['Open', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  });
  return answer === 0;
}
