import type { BodyInput } from '../../../server/contract/endpoint.ts';
import type { addUser, User, updateUser } from '../../../server/contract/users.ts';

/** Form state of an account; '' is not set. */
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
  /** Whether the email address is verified. */
  verified: boolean;
  /** Turns off two-factor authentication, if the user lost the second factor. */
  resetTwoFactor: boolean;
}

/** The form state of an account; with undefined, of a new one. */
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

/** The create request. */
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

/** The changed fields in API format. */
export function userChangeOf(form: UserFormState, before: UserFormState): BodyInput<typeof updateUser> {
  const isOtherAddress = form.email !== before.email;
  return {
    ...(form.name !== before.name && { name: form.name }),
    ...(form.username !== before.username && { username: form.username }),
    ...(isOtherAddress && { email: form.email }),
    // Always sent with a new address: the server would otherwise consider an address set by an administrator verified.
    ...((isOtherAddress || form.verified !== before.verified) && { verified: form.verified }),
    ...(form.password && { password: form.password }),
    ...(form.planid !== undefined && form.planid !== before.planid && { planid: form.planid }),
    ...(form.expiration !== before.expiration && { expiration: form.expiration || null }),
    ...(form.admin !== before.admin && { admin: form.admin }),
    ...(form.active !== before.active && { active: form.active }),
    ...(form.resetTwoFactor && { has_2fa: false as const }),
  };
}
