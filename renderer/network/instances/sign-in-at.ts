import { getAccount } from '../../../server/contract/account.ts';
import { signIn } from '../../../server/contract/sessions.ts';
import { askDesktop } from '../../api/ask-desktop.ts';
import { callAt } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';

/** How a person proves who they are at an instance. */
export type RemoteSignIn =
  | { readonly how: 'login'; readonly login: string; readonly password: string; readonly code: string }
  | { readonly how: 'key'; readonly key: string };

/**
 * Signs in at an instance that need not be the one that is shown; the main process keeps the token or the key. Returns
 * `code_required` when the account has a second factor, `refused` for a key that the server does not take; that key is
 * forgotten again. Throws ApiFailure for everything else.
 */
export async function signInAt(id: string, by: RemoteSignIn): Promise<'done' | 'code_required' | 'refused'> {
  const at = callAt({ instanceId: id });
  if (by.how === 'login') {
    const { login, password, code } = by;
    const digits = code.replace(/\s/g, '');
    try {
      await at(signIn, {
        body: { login: login.trim(), password, device: 'Waypost desktop', ...(digits && { code: digits }) },
      });
      return 'done';
    } catch (error) {
      if (error instanceof ApiFailure && error.code === 'code_required') return 'code_required';
      throw error;
    }
  }
  await askDesktop(async () => window.desktop?.instances.keepKey(id, by.key.trim()));
  try {
    await at(getAccount);
    return 'done';
  } catch (error) {
    await window.desktop?.instances.forgetKey(id);
    // A server of the published contract may refuse a key with any status.
    const isRefusal =
      error instanceof ApiFailure && (error.kind === 'unauthorized' || error.kind === 'refused');
    if (isRefusal && error.status < 500) return 'refused';
    throw error;
  }
}
