import type { BodyInput } from '../../../server/contract/endpoint.ts';
import type { addUser, User, updateUser } from '../../../server/contract/users.ts';

/** An account as an administrator fills it in; '' is not set. */
export interface UserFormState {
  name: string;
  username: string;
  email: string;
  password: string;
  planid: number | undefined;
  /** `YYYY-MM-DD`, the last day of the plan. */
  expiration: string;
  admin: boolean;
  active: boolean;
  /** The address is known to be theirs. */
  verified: boolean;
  /** Takes the second factor away that somebody lost. */
  resetTwoFactor: boolean;
}

/** The form of an account, or of a new one. */
export function formOfUser(user: User | undefined): UserFormState {
  return {
    name: user?.name ?? '',
    username: user?.username ?? '',
    email: user?.email ?? '',
    password: '',
    planid: user?.planid,
    expiration: user?.expires?.slice(0, 10) ?? '',
    admin: user?.admin ?? false,
    active: user?.active ?? true,
    verified: user?.verified ?? true,
    resetTwoFactor: false,
  };
}

/** What a new account is made of. */
export function newUserOf(form: UserFormState): BodyInput<typeof addUser> {
  const { name, username, email, password, planid, expiration, admin } = form;
  return {
    username,
    email,
    password,
    admin,
    ...(name && { name }),
    ...(planid !== undefined && { planid }),
    ...(expiration && { expiration }),
  };
}

/** What was changed. */
export function userChangeOf(form: UserFormState, before: UserFormState): BodyInput<typeof updateUser> {
  const isOtherAddress = form.email !== before.email;
  return {
    ...(form.name !== before.name && { name: form.name }),
    ...(form.username !== before.username && { username: form.username }),
    ...(isOtherAddress && { email: form.email }),
    // With another address it is always said: the server would take one of an administrator for confirmed.
    ...((isOtherAddress || form.verified !== before.verified) && { verified: form.verified }),
    ...(form.password && { password: form.password }),
    ...(form.planid !== undefined && form.planid !== before.planid && { planid: form.planid }),
    ...(form.expiration !== before.expiration && { expiration: form.expiration || null }),
    ...(form.admin !== before.admin && { admin: form.admin }),
    ...(form.active !== before.active && { active: form.active }),
    ...(form.resetTwoFactor && { has_2fa: false as const }),
  };
}
