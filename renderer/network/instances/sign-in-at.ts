import { getAccount } from '../../../server/contract/account.ts';
import { signIn } from '../../../server/contract/sessions.ts';
import { askDesktop } from '../../api/ask-desktop.ts';
import { callAt } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';

/** Credentials for signing in to an instance. */
export type RemoteSignIn =
  | { readonly how: 'login'; readonly login: string; readonly password: string; readonly code: string }
  | { readonly how: 'key'; readonly key: string };

/**
 * Signs in to any instance, not only the current one; the main process stores the token or key. Returns `code_required`
 * if the account has a second factor, or `refused` if the server rejects the key, which is then deleted. Throws
 * ApiFailure for all other failures.
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
    // Base contract servers may reject a key with any status.
    const isRefusal =
      error instanceof ApiFailure && (error.kind === 'unauthorized' || error.kind === 'refused');
    if (isRefusal && error.status < 500) return 'refused';
    throw error;
  }
}
