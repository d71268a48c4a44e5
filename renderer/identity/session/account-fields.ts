import type { FormError } from '@nuxt/ui';
import { computed, reactive } from 'vue';
import { useI18n } from 'vue-i18n';
import { email, username } from '../../../server/contract/sessions.ts';
import { passwordStrength } from './password-strength.ts';

/** What a new account is made of. */
export interface AccountFields {
  name: string;
  email: string;
  username: string;
  password: string;
}

/**
 * The fields of a form that makes an account: `check(state)` returns what is wrong with them by the contract's own
 * rules, and `personal` is what a good password does not hold.
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
