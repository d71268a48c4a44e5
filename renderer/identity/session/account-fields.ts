import type { FormError } from '@nuxt/ui';
import { computed, reactive } from 'vue';
import { useI18n } from 'vue-i18n';
import { email, username } from '../../../server/contract/sessions.ts';
import { passwordStrength } from './password-strength.ts';

/** The fields of a new account. */
export interface AccountFields {
  name: string;
  email: string;
  username: string;
  password: string;
}

/** A username made of a name, `dana.reyes`, or an empty text if the name has no valid one. */
export function usernameOf(name: string): string {
  const words =
    name
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\s._-]/gu, '')
      .match(/\S+/g) ?? [];
  const made = username.safeParse(words.join('.').slice(0, 60));
  return made.success ? made.data : '';
}

/**
 * Fields of the registration forms: `check(state)` returns errors by the contract's rules, and `personal` contains the
 * words that a strong password should not include.
 */
export function useAccountFields() {
  const { t } = useI18n();
  const fields = reactive<AccountFields>({ name: '', email: '', username: '', password: '' });

  function check(state: Partial<AccountFields>): FormError[] {
    const errors: FormError[] = [];
    if (!email.safeParse(state.email).success)
      errors.push({ name: 'email', message: t('session.rules.email') });
    if (!username.safeParse(state.username).success)
      errors.push({ name: 'username', message: t('session.rules.username') });
    if (passwordStrength(state.password ?? '') === 'short')
      errors.push({ name: 'password', message: t('session.rules.password') });
    return errors;
  }

  return { fields, check, personal: computed(() => [fields.name, fields.email, fields.username]) };
}
