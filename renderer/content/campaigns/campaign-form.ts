import type { Campaign, CampaignChange, NewCampaign } from '../../../server/contract/campaigns.ts';

/** The fields of a campaign as people fill them in; '' is not set. */
export interface CampaignFormState {
  name: string;
  /** Whether there is a rotator page; without one the slug means nothing. */
  rotator: boolean;
  slug: string;
  /** Host name; '' is the instance's own address. */
  domain: string;
  public: boolean;
}

/** A new campaign before anything was typed. */
export function emptyCampaignForm(): CampaignFormState {
  return { name: '', rotator: true, slug: '', domain: '', public: false };
}

/** The form of a campaign that is there. `ownHost` is the instance's. */
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

/** The rotator's slug; read out of its address where a server does not say it. */
export function slugOf({ slug, rotator }: Pick<Campaign, 'slug' | 'rotator'>): string {
  if (slug) return slug;
  const last = rotator === false ? '' : (/\/([^/?#]+)\/?$/.exec(rotator)?.[1] ?? '');
  try {
    return decodeURIComponent(last);
  } catch {
    // A percent sign that encodes nothing.
    return last;
  }
}

/** What a new campaign is made of. Without a slug the server makes one up, so there is always a rotator at first. */
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
 * The changed fields in wire format, none where nothing was changed. The name goes along with every other field:
 * servers of the reduced variant want it. An empty slug takes the rotator away.
 */
export function campaignChangeOf(form: CampaignFormState, before: CampaignFormState): CampaignChange {
  const change: CampaignChange = { name: form.name.trim() };
  const [slug, slugBefore] = [form, before].map((state) => (state.rotator ? state.slug.trim() : ''));
  if (slug !== slugBefore) change.slug = slug || null;
  if (form.domain !== before.domain) change.domain = form.domain || null;
  if (form.public !== before.public) change.public = form.public;
  return Object.keys(change).length > 1 || change.name !== before.name ? change : {};
}
