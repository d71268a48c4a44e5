import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';

/** Who sits here, as far as the system says; each field fits the rules of the first account. */
export interface SuggestedProfile {
  readonly name: string;
  readonly username: string;
  readonly email: string;
}

/** Asks the system. Nothing is read that belongs to other programs, such as their settings. */
export async function suggestedProfile(): Promise<SuggestedProfile> {
  const login = loginName();
  return profileOf(login, await fullName(login));
}

/**
 * Makes a profile from a login name and a full name, either of which may be empty or odd. The rules are those of
 * `username` and `email` in server/contract/sessions.ts. The address is a stand-in that nobody gets mail at.
 */
export function profileOf(login: string, full: string): SuggestedProfile {
  const cleaned = login
    .normalize('NFC')
    // Windows and directory services put the domain before the name.
    .replace(/^.*\\/, '')
    .replace(/(?:[^\p{L}\p{N}._-]|\p{Default_Ignorable_Code_Point})+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  const letters = [...cleaned].slice(0, 60);
  const username = letters.length >= 2 ? letters.join('') : 'owner';
  const mailbox = username
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '')
    .replace(/\.{2,}/g, '.')
    .replace(/^[-._]+|[-._]+$/g, '');
  return {
    name: oneLine(full).slice(0, 120) || username,
    username,
    email: `${mailbox || 'owner'}@localhost.localdomain`,
  };
}

/** The rules of a name refuse control characters and line ends. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry, as in some containers.
    return '';
  }
}

/** The person's full name where the system keeps one that is cheap to get; empty elsewhere. */
async function fullName(login: string): Promise<string> {
  try {
    if (process.platform === 'darwin') {
      const { stdout } = await promisify(execFile)('/usr/bin/id', ['-F'], { timeout: 1_000 });
      return stdout.trim();
    }
    if (process.platform !== 'linux') return '';
    const line = (await readFile('/etc/passwd', 'utf8'))
      .split('\n')
      .find((entry) => entry.startsWith(`${login}:`));
    // The fifth field; what follows its first comma are rooms and telephone numbers.
    return line?.split(':')[4]?.split(',')[0] ?? '';
  } catch {
    // The login name will do.
    return '';
  }
}
