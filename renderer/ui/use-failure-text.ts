import { useI18n } from 'vue-i18n';
import { ApiFailure } from '../api/failure.ts';

/** Returns `textOf(error)`: the server's own message for a failure, or a generic one for unexpected errors. */
export function useFailureText(): (error: unknown) => string {
  const { t } = useI18n();
  return (error) => (error instanceof ApiFailure ? error.message : t('ui.failure.unknown'));
}
