import type { Campaign, CampaignChange, NewCampaign } from '../../../server/contract/campaigns.ts';

/** Form state of a campaign; '' is not set. */
export interface CampaignFormState {
  name: string;
  /** Whether there is a rotator page; if not, the slug is ignored. */
  rotator: boolean;
  slug: string;
  /** Host name; '' is the instance's own host. */
  domain: string;
  public: boolean;
}

/** The form state of a new campaign. */
export function emptyCampaignForm(): CampaignFormState {
  return { name: '', rotator: true, slug: '', domain: '', public: false };
}

/** The form state of an existing campaign. `ownHost` is the instance's host. */
export function formOfCampaign(campaign: Campaign, ownHost: string): CampaignFormState {
  const host = campaign.domain?.replace(/^https?:\/\//, '').replace(/\/$/, '') ?? '';
  return {
    name: campaign.name,
    rotator: campaign.rotator !== false,
    slug: slugOf(campaign),
    domain: host === ownHost ? '' : host,
    public: campaign.public,
  };
}

/** The rotator's slug, derived from its URL if the server does not send it. */
export function slugOf({ slug, rotator }: Pick<Campaign, 'slug' | 'rotator'>): string {
  if (slug) return slug;
  const last = rotator === false ? '' : (/\/([^/?#]+)\/?$/.exec(rotator)?.[1] ?? '');
  try {
    return decodeURIComponent(last);
  } catch {
    // A percent sign that is not an escape sequence.
    return last;
  }
}

/** The create request. The server generates a missing slug, so a new campaign always has a rotator. */
export function newCampaignOf(form: CampaignFormState): NewCampaign {
  const slug = form.slug.trim();
  return {
    name: form.name.trim(),
    ...(form.rotator && slug && { slug }),
    ...(form.domain && { domain: form.domain }),
    ...(form.public && { public: true }),
  };
}

/**
 * The changed fields in API format, or an empty object if nothing changed. The name is sent with every change, because
 * servers with only the base contract require it. An empty slug removes the rotator.
 */
export function campaignChangeOf(form: CampaignFormState, before: CampaignFormState): CampaignChange {
  const change: CampaignChange = { name: form.name.trim() };
  const [slug, slugBefore] = [form, before].map((state) => (state.rotator ? state.slug.trim() : ''));
  if (slug !== slugBefore) change.slug = slug || null;
  if (form.domain !== before.domain) change.domain = form.domain || null;
  if (form.public !== before.public) change.public = form.public;
  return Object.keys(change).length > 1 || change.name !== before.name ? change : {};
}
