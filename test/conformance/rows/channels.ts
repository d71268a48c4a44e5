import { type Section, testsOf } from '../section.ts';

const here = testsOf('test/conformance/channels.test.ts');
const variants = testsOf('test/conformance/campaign-variants.test.ts');
const removed = testsOf('test/server/platform/trash.test.ts');
const rights = testsOf('test/server/identity/ownership.exploit.test.ts');

const created = here('replies with the channel, flat, and nothing else');
const listed = here("is alphabetical, each with its count, in the contract's envelope");
const items = here("are sorted by date, newest first, in the contract's envelope");

export const section: Section = {
  name: 'Channels',
  closed: true,
  rows: [
    {
      id: 'channel.fields',
      rule: 'A channel has id, name, description, color, starred and, in the fuller list, count',
      tests: [...created, ...listed],
    },
    { id: 'channel.name', rule: 'name is required', tests: here('refuses the name %j') },
    {
      id: 'channel.name.unique',
      rule: 'A name that one has already is refused, in the published sentence',
      tests: here(
        'refuses a taken name with the published message',
        'refuses the name of another channel, but not its own',
      ),
    },
    {
      id: 'channel.optional',
      rule: 'description, color and starred are optional',
      tests: here('only requires a name'),
    },
    {
      id: 'channel.color',
      rule: 'color is a HEX color',
      tests: here('accepts the color %j as %j', 'refuses the color %j'),
    },
    { id: 'channel.starred', rule: 'starred is a boolean', tests: here('never casts the star') },
    { id: 'channels.list', rule: 'GET /api/channels is alphabetical, each with its count', tests: listed },
    {
      id: 'channels.filters',
      rule: 'q is a substring of the name, at least 2 characters; filter starred shows the starred ones only',
      tests: here(
        'filters by star or by a substring of the name',
        'refuses other filters and one-character searches',
      ),
    },
    { id: 'channel.get', rule: 'GET /api/channel/:id lists the items in pages', tests: items },
    {
      id: 'channel.item',
      rule: 'An item has type, id, title, preview, link and date (a day)',
      tests: [...items, ...variants('items of all three types are accepted by our client')],
    },
    { id: 'channel.add', rule: 'POST /api/channel/add answers the channel flat', tests: created },
    {
      id: 'channel.update',
      rule: 'PUT /api/channel/:id/update is partial and answers a message',
      tests: [
        ...here('replies with message and channel, and keeps omitted fields'),
        ...variants('of an updated channel, only the message, is accepted by our client'),
      ],
    },
    {
      id: 'channel.delete',
      rule: 'DELETE /api/channel/:id/delete unassigns all items and keeps them',
      tests: here('are kept when the channel is deleted'),
    },
    {
      id: 'channel.assign',
      rule: 'POST /api/channel/:channelid/assign/:type/:itemid puts a link, bio page or QR code into a channel',
      tests: here(
        'can be assigned and unassigned twice without a difference',
        'can be in several channels, and a link in the trash is in none',
        'of type %s that do not exist are 404',
        'have no type %s',
      ),
    },
    {
      id: 'channel.items',
      rule: 'Ours: items=N adds the newest things to each listed channel, type= narrows those of one down',
      tests: removed('channels include their newest items and counts of each type on request'),
    },
    {
      id: 'channel.restore',
      rule: 'Ours: POST /api/channel/:id/restore brings a deleted channel back for 30 days',
      tests: removed('is restored with its id, style and links', 'is not restored while its name is taken'),
    },
    {
      id: 'channel.foreign',
      rule: "Another user's channel is 404 like one that does not exist",
      tests: rights("treats another account's id like one that does not exist, and changes nothing"),
    },
  ],
};
