import { requestPasswordReset, resetPassword } from '../../contract/password-reset.ts';
import { type Route, route } from '../../platform/http/serve.ts';
import { readLanguages } from '../../platform/text/languages.ts';
import type { PasswordResets } from './service.ts';

/** "Forgot password?": both endpoints are for people who are not signed in. */
export function passwordResetRoutes({ resets }: { resets: PasswordResets }): Route[] {
  return [
    route(requestPasswordReset, ({ body, request, address }) => {
      const languages = readLanguages(request.headers['accept-language'] ?? '');
      resets.request({ login: body.login, languages }, address);
      return {
        message: 'If there is an account with this email or username, a link was sent to its address.',
      };
    }),
    route(resetPassword, async ({ body, address }) => {
      await resets.reset(body.code, body.password, address);
      return { message: 'Your password was changed. Sign in with it.' };
    }),
  ];
}
