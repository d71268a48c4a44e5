import { avatarPathOf } from '../../../identity/account/avatar.ts';
import { html } from '../../../platform/text/markup.ts';
import type { ListedCampaign, ProfileRow } from '../campaign-queries.ts';
import { contentPolicy, page } from './layout.ts';
import type { PageTexts } from './page-texts.ts';
import type { Page } from './pages.ts';

const policy = contentPolicy();

/** The public page of an account: its name, its picture if it agreed, and its public lists. */
export function profilePage(
  texts: PageTexts,
  profile: ProfileRow,
  campaigns: readonly Pick<ListedCampaign, 'id' | 'name'>[],
): Page {
  const { lists, empty } = texts.profile;
  const own = `/u/${encodeURIComponent(profile.username)}`;
  const photo =
    profile.media === 1 &&
    html`<img class="photo" src="${avatarPathOf(profile)}" alt="" width="72" height="72">
`;
  const entries = campaigns.map(
    ({ id, name }) => html`<li><a class="quiet" href="${own}/list-${id}" dir="auto">${name}</a></li>
`,
  );
  const body =
    campaigns.length === 0
      ? html`${photo}<p>${empty}</p>`
      : html`${photo}<p>${lists}</p>
<ul>
${entries}</ul>`;
  return { status: 200, policy, body: page(texts, profile.name, body) };
}
