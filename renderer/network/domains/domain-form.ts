import type { BrandedDomain, DomainChange, NewDomain } from '../../../server/contract/domains.ts';
import { type AppLines, appsOfLines, linesOfApps } from './app-lines.ts';

/** What the domain's root shows. */
type DomainRoot = 'none' | 'redirect' | 'bio';

/** Form state of a domain; '' is not set. */
export interface DomainFormState extends AppLines {
  domain: string;
  root: DomainRoot;
  redirectroot: string;
  bioid: number | undefined;
  redirect404: string;
  redirectexpired: string;
  redirectearly: string;
  /** URL of a new picture; empty keeps the current one. */
  logo: string;
  favicon: string;
  removeLogo: boolean;
  removeFavicon: boolean;
  platform: boolean;
  /** Ids of the plans that a platform domain is available to; empty for all. */
  plans: number[];
}

/** The initial form state. */
export function emptyDomainForm(): DomainFormState {
  return {
    domain: '',
    root: 'none',
    redirectroot: '',
    bioid: undefined,
    redirect404: '',
    redirectexpired: '',
    redirectearly: '',
    ...linesOfApps(null),
    logo: '',
    favicon: '',
    removeLogo: false,
    removeFavicon: false,
    platform: false,
    plans: [],
  };
}

/** The form state of an existing domain. `plans` are those that a platform domain is available to, null for all. */
export function formOfDomain(domain: BrandedDomain, plans: readonly number[] | null = null): DomainFormState {
  return {
    ...emptyDomainForm(),
    domain: domain.domain,
    root: domain.bioid ? 'bio' : domain.redirectroot ? 'redirect' : 'none',
    redirectroot: domain.redirectroot ?? '',
    bioid: domain.bioid ?? undefined,
    redirect404: domain.redirect404 ?? '',
    redirectexpired: domain.redirectexpired ?? '',
    redirectearly: domain.redirectearly ?? '',
    ...linesOfApps(domain.apps),
    platform: domain.platform === true,
    plans: [...(plans ?? [])],
  };
}

/** The create request. */
export function newDomainOf(form: DomainFormState): NewDomain {
  return {
    domain: form.domain.trim(),
    ...(form.root === 'redirect' && form.redirectroot.trim() && { redirectroot: form.redirectroot.trim() }),
    ...(form.root === 'bio' && form.bioid !== undefined && { bioid: form.bioid }),
    ...(form.redirect404.trim() && { redirect404: form.redirect404.trim() }),
    ...(form.platform && { platform: true, plans: form.plans.length > 0 ? form.plans : null }),
  };
}

/** The changed fields in API format; null clears a field. */
export function domainChangeOf(form: DomainFormState, before: DomainFormState): DomainChange {
  const change: DomainChange = {};
  const isRootChanged =
    form.root !== before.root || form.redirectroot !== before.redirectroot || form.bioid !== before.bioid;
  if (isRootChanged) {
    if (form.root === 'bio') change.bioid = form.bioid ?? null;
    else {
      change.redirectroot = form.root === 'redirect' ? form.redirectroot.trim() || null : null;
      // Removing the page makes the server use the redirect again, so both are sent.
      if (before.root === 'bio') change.bioid = null;
    }
  }
  for (const field of ['redirect404', 'redirectexpired', 'redirectearly'] as const) {
    if (form[field] !== before[field]) change[field] = form[field].trim() || null;
  }
  if (form.appleapps !== before.appleapps || form.androidapps !== before.androidapps) {
    change.apps = appsOfLines(form);
  }
  if (form.removeLogo) change.logo = null;
  else if (form.logo.trim()) change.logo = form.logo.trim();
  if (form.removeFavicon) change.favicon = null;
  else if (form.favicon.trim()) change.favicon = form.favicon.trim();
  if (form.platform && form.plans.join() !== before.plans.join()) {
    change.plans = form.plans.length > 0 ? form.plans : null;
  }
  return change;
}
