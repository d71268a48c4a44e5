import { filled, html } from '../../../platform/text/markup.ts';
import type { ListedCampaign, ListedLink } from '../campaign-queries.ts';
import { aliasPath } from '../short-url.ts';
import { contentPolicy, page } from './layout.ts';
import type { PageTexts } from './page-texts.ts';
import type { Page } from './pages.ts';

const policy = contentPolicy();

/** The public list of a campaign's links. It shows only what their owner made public. */
export function listPage(texts: PageTexts, campaign: ListedCampaign, links: readonly ListedLink[]): Page {
  const { by, empty } = texts.list;
  const entries = links.map(({ alias, host, title, description }) => {
    const path = `/${aliasPath(alias)}`;
    const address = host === null ? path : `https://${host}${path}`;
    const shown = host === null ? path : `${host}${path}`;
    return html`<li><a class="card" rel="nofollow" href="${address}"><strong dir="auto">${title ?? alias}</strong><bdi>${shown}</bdi>${description && html`<span dir="auto">${description}</span>`}</a></li>
`;
  });
  const name = html`<bdi>${campaign.owner}</bdi>`;
  const owner =
    campaign.profile === null
      ? name
      : html`<a class="quiet" href="/u/${encodeURIComponent(campaign.profile)}">${name}</a>`;
  const body = html`<p>${filled(by, { owner })}</p>
${links.length === 0 ? html`<p>${empty}</p>` : html`<ul class="cards">${entries}</ul>`}`;
  return { status: 200, policy, body: page(texts, campaign.name, body) };
}
