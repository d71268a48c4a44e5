import type { AdminPage } from './admin-page.ts';

/** Chromium's virtual authenticator in a page: it confirms everything by default. */
export async function virtualAuthenticator({ context, page }: Pick<AdminPage, 'context' | 'page'>) {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    refuse: () => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
    agree: () => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true }),
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  };
}
