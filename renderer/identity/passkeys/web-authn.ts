import type { BodyInput } from '../../../server/contract/endpoint.ts';
import type {
  addPasskey,
  CreationOptions,
  RequestOptions,
  signInWithPasskey,
} from '../../../server/contract/passkeys.ts';

/** Why this page can make and use no passkeys; undefined where it can. */
export type Obstacle = 'desktop' | 'insecure' | 'address' | 'browser';

/**
 * What keeps passkeys from working here. Browsers offer them over HTTPS or on this machine, under a name, never at a
 * bare address (WebAuthn Level 3, section 5.1.2); the desktop's own page has no address that they could belong to.
 */
export function passkeyObstacle(
  page: Pick<Window, 'desktop' | 'isSecureContext' | 'location'> = window,
): Obstacle | undefined {
  if (page.desktop) return 'desktop';
  if (!page.isSecureContext) return 'insecure';
  if (/^(\[.*\]|\d+(\.\d+){3})$/.test(page.location.hostname)) return 'address';
  return 'PublicKeyCredential' in page ? undefined : 'browser';
}

type Made = BodyInput<typeof addPasskey>['credential'];
type Used = BodyInput<typeof signInWithPasskey>['credential'];

/** Has the browser make a passkey. `exists`: the authenticator that was chosen has one of this person already. */
export async function createPasskey(options: CreationOptions): Promise<Made | 'cancelled' | 'exists'> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  try {
    return await unlessCancelled(async () => plain(await startRegistration({ optionsJSON: options })));
  } catch (error) {
    if (error instanceof Error && error.name === 'InvalidStateError') return 'exists';
    throw error;
  }
}

/** Has the browser sign with a passkey. */
export async function signWithPasskey(options: RequestOptions): Promise<Used | 'cancelled'> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return unlessCancelled(async () => plain(await startAuthentication({ optionsJSON: options })));
}

/**
 * Has the browser offer passkeys where the user name is typed, and sign with the one that is chosen there. Resolves to
 * `cancelled` when another question takes its place, after `stopOffering`, and whenever it cannot be offered, whatever
 * the reason: nobody has asked for it, and nobody is to read of it.
 */
export async function signWithOfferedPasskey(
  ask: () => Promise<RequestOptions>,
): Promise<Used | 'cancelled'> {
  try {
    const { browserSupportsWebAuthnAutofill, startAuthentication } = await import('@simplewebauthn/browser');
    if (!(await browserSupportsWebAuthnAutofill())) return 'cancelled';
    const options = await ask();
    return plain(
      await startAuthentication({
        optionsJSON: options,
        useBrowserAutofill: true,
        // The field may not be there yet, or not any more; the browser then offers nothing.
        verifyBrowserAutofillInput: false,
      }),
    );
  } catch {
    return 'cancelled';
  }
}

/** Takes the offer back: the page with the field is left. */
export async function stopOffering(): Promise<void> {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser');
  WebAuthnAbortService.cancelCeremony();
}

/** Browsers do not say whether the person closed the dialog, let it time out or has no fitting passkey. */
async function unlessCancelled<Result>(ask: () => Promise<Result>): Promise<Result | 'cancelled'> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return 'cancelled';
    throw error;
  }
}

/** What extensions say is of no use here, and its type is none that can be sent. */
function plain<Credential extends { clientExtensionResults: object }>(credential: Credential) {
  const { clientExtensionResults: _, ...rest } = credential;
  return rest;
}
