import { domainToUnicode } from 'node:url';
import { shell } from 'electron';
import { Refused } from '../requests/refused.ts';
import type { Questions } from './questions.ts';

/** What Windows hands to a browser (Electron's documentation of `shell.openExternal`). Characters. */
const longestOnWindows = 2_081;

/** How much of an address a dialog shows; more would push its button off the screen. */
const longestShown = 300;

/**
 * Opens an address in the system's browser. Only http and https without credentials: other schemes start programs.
 * A host that only looks like letters one knows (it is stored as punycode) is shown as it really is and asked about.
 * Throws Refused for an address that is not opened (T-31), and says so where the system has no browser
 * that would take it. Returns whether it was opened.
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
    // Links are opened by many places of the page that wait for nothing, so it is said here.
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
