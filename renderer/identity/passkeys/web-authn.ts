import type { BodyInput } from '../../../server/contract/endpoint.ts';
import type {
  addPasskey,
  CreationOptions,
  RequestOptions,
  signInWithPasskey,
} from '../../../server/contract/passkeys.ts';

/** Why passkeys are not available on this page; undefined if they are. */
export type Obstacle = 'desktop' | 'insecure' | 'address' | 'browser';

/**
 * Detects why passkeys are unavailable. Browsers support them over HTTPS or on localhost, on domain names but not IP
 * addresses (WebAuthn Level 3, section 5.1.2); the desktop app's page has no origin that they could belong to.
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

/** Creates a passkey. `exists`: the selected authenticator already has one for this user. */
export async function createPasskey(options: CreationOptions): Promise<Made | 'cancelled' | 'exists'> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  try {
    return await unlessCancelled(async () => plain(await startRegistration({ optionsJSON: options })));
  } catch (error) {
    if (error instanceof Error && error.name === 'InvalidStateError') return 'exists';
    throw error;
  }
}

/** Signs in with a passkey through the browser's dialog. */
export async function signWithPasskey(options: RequestOptions): Promise<Used | 'cancelled'> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return unlessCancelled(async () => plain(await startAuthentication({ optionsJSON: options })));
}

/**
 * Signs in with a passkey from the autofill list of the username field (conditional mediation). Resolves to `cancelled`
 * when another request replaces it, after `stopOffering`, and on any error: the user did not ask for it, so errors are
 * not reported.
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
        // The field may not be mounted yet, or no longer; the browser then offers nothing.
        verifyBrowserAutofillInput: false,
      }),
    );
  } catch {
    return 'cancelled';
  }
}

/** Cancels the offer when the page with the field is left. */
export async function stopOffering(): Promise<void> {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser');
  WebAuthnAbortService.cancelCeremony();
}

/** Browsers do not reveal whether the user closed the dialog, it timed out, or no passkey matched. */
async function unlessCancelled<Result>(ask: () => Promise<Result>): Promise<Result | 'cancelled'> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) return 'cancelled';
    throw error;
  }
}

/** Extension results are not used, and their type is not serializable. */
function plain<Credential extends { clientExtensionResults: object }>(credential: Credential) {
  const { clientExtensionResults: _, ...rest } = credential;
  return rest;
}
