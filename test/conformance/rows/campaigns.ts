import { type Section, testsOf } from '../section.ts';

const here = testsOf('test/conformance/campaigns.test.ts');
const visits = testsOf('test/server/visits/campaign-visits.test.ts');
const variants = testsOf('test/conformance/campaign-variants.test.ts');
const ordered = testsOf('test/server/content/campaign-order.test.ts');
const removed = testsOf('test/server/platform/trash.test.ts');
const rights = testsOf('test/server/identity/ownership.exploit.test.ts');

const created = here('answers 201 with both published shapes and nothing else');
const listed = here("is alphabetical, ignoring case, in the contract's envelope");
const links = here("are sorted by clicks, with the page's statistics");
const deleted = here('are kept and detached when the campaign is deleted');

export const section: Section = {
  name: 'Campaigns',
  closed: true,
  rows: [
    { id: 'campaign.fields', rule: 'A listed campaign has every published field', tests: listed },
    {
      id: 'campaign.name.min',
      rule: 'A name has at least 2 characters, on create and on update',
      tests: here('refuses the name %j', 'refuses a one-character name'),
    },
    {
      id: 'campaign.name.unique',
      rule: 'A name that one has already is refused, in the published sentence, before the slug is looked at',
      tests: here(
        'refuses a taken name, ignoring case, with the published message',
        'checks the name before the slug',
        'reports a taken name before a taken slug',
      ),
    },
    {
      id: 'campaign.slug.default',
      rule: 'Without a slug a campaign gets a random one of 6 characters',
      tests: here('generates a random slug of six characters'),
    },
    {
      id: 'campaign.slug.taken',
      rule: "A slug that collides with another user's is refused",
      tests: here("refuses a slug taken by another account or one's own"),
    },
    { id: 'campaign.public', rule: 'public is optional', tests: here('is not public by default') },
    {
      id: 'campaign.domain',
      rule: "domain is one of the user's own or an entitled platform domain, anything else is refused",
      tests: here(
        "accepts one's own domain or a platform domain, by id, name or URL",
        "treats another account's domain like one that does not exist",
      ),
    },
    {
      id: 'campaign.domain.clear',
      rule: 'An empty text or null clears the domain',
      tests: here('clears the domain with %j'),
    },
    {
      id: 'campaign.rotator',
      rule: 'rotator is an address, or false when there is none',
      tests: [
        ...created,
        ...here('removes the rotator with the slug %j, and only then is it false'),
        ...visits('sends each visit to the next link', 'follows the weights; 0 excludes a link'),
      ],
    },
    {
      id: 'campaign.list',
      rule: 'list is the address of the list page, which is shown when it is public',
      tests: [
        ...created,
        ...visits(
          'shows the public links, newest first, and counts a view',
          'that is not public is 404, like one that does not exist',
        ),
      ],
    },
    {
      id: 'campaign.views',
      rule: 'views counts visits of the rotator and the list page',
      tests: visits(
        'counts a view of the campaign and a click with its source',
        'neither counts nor rotates for bots, HEAD and opted-out visitors',
      ),
    },
    {
      id: 'campaign.urlcount',
      rule: 'urlcount is the number of links assigned',
      tests: [...listed, ...links, ...deleted],
    },
    {
      id: 'campaigns.list',
      rule: 'GET /api/campaigns is alphabetical and pages',
      tests: [...listed, ...here('pages')],
    },
    {
      id: 'campaigns.q',
      rule: 'q filters by a substring of the name, at least 2 characters',
      tests: here(
        'finds the substring %s, with literal wildcards',
        'refuses to search for a single character',
      ),
    },
    {
      id: 'campaign.get',
      rule: 'GET /api/campaign/:id has the campaign and its links in pages, newest clicked first',
      tests: links,
    },
    {
      id: 'campaign.link',
      rule: 'A link of a campaign has id, title, longurl, shorturl, clicks, uniqueclicks and date',
      tests: links,
    },
    { id: 'campaign.add', rule: 'POST /api/campaign/add answers the new campaign', tests: created },
    {
      id: 'campaign.update',
      rule: 'PUT /api/campaign/:id/update is partial and answers like create',
      tests: here('keeps omitted fields and replies like create, with 200'),
    },
    {
      id: 'campaign.delete',
      rule: 'DELETE /api/campaign/:id/delete detaches every link and keeps them',
      tests: deleted,
    },
    {
      id: 'campaign.assign',
      rule: 'POST /api/campaign/:campaignid/assign/:linkid puts a link into a campaign',
      tests: here(
        'can be assigned and unassigned twice without a difference',
        'leave their previous campaign',
      ),
    },
    {
      id: 'campaign.order',
      rule: 'Ours: PUT /api/campaign/:id/order orders the links, which list page and rotator follow',
      tests: ordered(
        'applies to the list page and the rotator',
        "does not change the campaign's published order",
        'puts unlisted links after listed ones, and new ones at the end',
      ),
    },
    {
      id: 'campaign.figures',
      rule: 'Ours: figures=1 adds the clicks of the links',
      tests: ordered('clicks of the links are only included on request'),
    },
    {
      id: 'campaign.restore',
      rule: 'Ours: POST /api/campaign/:id/restore brings a deleted campaign back for 30 days',
      tests: removed(
        'is restored with its id, addresses, views, links, weights and order',
        'leaves links that are in another campaign by now where they are',
        'is not restored while its name or slug is taken',
        'cannot be restored by others, twice, or after 30 days',
      ),
    },
    {
      id: 'campaign.reduced',
      rule: 'The reduced variants of list, create and update are accepted by clients',
      tests: variants(
        'of a created or updated campaign is accepted by our client',
        'of a campaign in a list is accepted by our client',
      ),
    },
    {
      id: 'campaign.foreign',
      rule: "Another user's campaign is 404 like one that does not exist",
      tests: rights("treats another account's id like one that does not exist, and changes nothing"),
    },
  ],
};
