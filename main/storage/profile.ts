import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';

/** The user's details according to the system; each field satisfies the validation of the first account. */
export interface SuggestedProfile {
  readonly name: string;
  readonly username: string;
  readonly email: string;
}

/** Reads the operating system's user record. Settings of other programs are not read. */
export async function suggestedProfile(): Promise<SuggestedProfile> {
  const login = loginName();
  return profileOf(login, await fullName(login));
}

/**
 * Derives a profile from a login name and a full name, either of which may be empty or unusual. Follows the rules of
 * `username` and `email` in server/contract/sessions.ts. The email address is a placeholder that receives no mail.
 */
export function profileOf(login: string, full: string): SuggestedProfile {
  const cleaned = login
    .normalize('NFC')
    // Windows and directory services prefix the domain.
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

/** Names must not contain control characters or line breaks. */
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

/** The user's full name if the system can provide it cheaply; otherwise empty. */
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
    // The GECOS field; the part after its first comma holds the office and phone numbers.
    return line?.split(':')[4]?.split(',')[0] ?? '';
  } catch {
    // Use the login name.
    return '';
  }
}
