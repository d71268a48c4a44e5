import type { z } from 'zod';
import type { account } from '../../contract/account.ts';
import type { Account, Caller } from '../../platform/http/caller.ts';
import { presentOptional, presentTimestamp } from '../../platform/http/timestamps.ts';
import { canonicalTimezone } from '../../platform/http/timezones.ts';
import { storedObject } from '../../platform/text/stored-json.ts';
import { avatarPathOf } from './avatar.ts';

/** The account that acts, and as whom the person who asks does so there (decision 0066). */
export function presentActing(caller: Caller, baseUrl: string): z.output<typeof account> {
  const { id, name, username, admin } = caller.person.user;
  const member = { id, name: name === '' ? username : name, role: caller.role, admin: admin === 1 };
  // The app speaks the person's language wherever they act.
  return { ...presentAccount(caller, baseUrl), language: caller.person.user.language, member };
}

/** The account as the contract shows it, every field of its table; moments in `timezone`, by default its own. */
export function presentAccount(
  { user, plan }: Account,
  baseUrl: string,
  timezone = user.timezone,
): z.output<typeof account> {
  return {
    id: user.id,
    email: user.email,
    username: user.username,
    name: user.name,
    avatar: baseUrl + avatarPathOf(user),
    status: plan.free ? 'free' : 'pro',
    planid: plan.id,
    expires: presentOptional(user.plan_expires_at, timezone),
    registered: presentTimestamp(user.registered_at, timezone),
    verified: user.verified === 1,
    active: user.active === 1,
    // Rows of older versions may use another spelling.
    timezone: canonicalTimezone(user.timezone) ?? user.timezone,
    language: user.language,
    perpage: user.perpage,
    newsletter: user.newsletter === 1,
    brokenlinks_email: user.brokenlinks_email === 1,
    media: user.media === 1,
    public: user.public === 1,
    // Choices that depended on an expired plan are kept for the next one, but not in force.
    defaulttype: plan.free ? 'direct' : user.defaulttype,
    domain: plan.free || user.default_host === null ? baseUrl : `https://${user.default_host}`,
    has_2fa: user.has_2fa === 1,
    address: { ...emptyAddress, ...storedObject<Partial<typeof emptyAddress>>(user.address) },
    permissions: plan.permissions,
    features: plan.features,
    admin: user.admin === 1,
    version: user.version,
    signin_email: user.signin_email === 1,
    domains_email: user.domains_email === 1,
  };
}

const emptyAddress = {
  name: '',
  company: '',
  type: 'personal' as 'personal' | 'business',
  taxid: '',
  address: '',
  city: '',
  state: '',
  zip: '',
  country: '',
};
