import type { Client } from 'openapi-fetch';
import type { paths } from 'openapi-paths';

/*
 * A client as others would write one: it knows the OpenAPI document and nothing else of the program. The types of
 * `openapi-paths` are generated from the document, and this file is compiled against them with every strict option
 * (see test/server/operations/openapi-client.test.ts).
 */

type Api = Client<paths, `${string}/${string}`>;

type Passkeys = '/api/account/passkey/options' | '/api/auth/passkey/options';
type Options<Path extends Passkeys> =
  paths[Path]['post']['responses'][200]['content']['application/json']['data']['options'];
type Credential<Path extends '/api/account/passkey/add' | '/api/auth/passkey/login'> = NonNullable<
  paths[Path]['post']['requestBody']
>['content']['application/json']['credential'];

/** What the client is told of the instance, as a person would be. */
export interface Surroundings {
  password: string;
  setupCode: string;
  /** A domain that is there already; the DNS of this machine knows none that could be added. */
  domainId: number;
  /** The code that an authenticator shows for a secret. */
  codeOf(secret: string): string;
  /** What the browser makes of the options for passkeys. */
  passkey: {
    create(options: Options<'/api/account/passkey/options'>): Credential<'/api/account/passkey/add'>;
    get(options: Options<'/api/auth/passkey/options'>): Credential<'/api/auth/passkey/login'>;
  };
  /** A provider of single sign-on; `signIn` returns the query with which it sends the browser back. */
  provider: { issuer: string; signIn(address: string, person: Record<string, unknown>): string };
  /** Opens a short link, as visitors do. */
  visit(address: string): Promise<unknown>;
  /** Sets the clock on, so that codes and limits are fresh. */
  wait(): void;
}

/** What openapi-fetch resolves to. */
interface Outcome<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The data of a success. Throws what the server said otherwise. */
async function got<Data>(call: Promise<Outcome<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await call;
  if (data === undefined || data === null) {
    throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
  }
  return data;
}

/** A call that is refused; resolves to its message, which the types know. */
async function refused(
  call: Promise<{ error?: { error: number; message: string; code: string }; response: Response }>,
) {
  const { error, response } = await call;
  if (!error) throw new Error(`${response.url} was not refused`);
  return error.message;
}

/** A PNG of one pixel. */
const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const file = {
  bodySerializer: (content: string) => content,
  headers: { 'Content-Type': 'application/octet-stream' },
};
const paging = { limit: 5, page: 1 };
const at = <Id extends number>(id: Id) => ({ params: { path: { id } } });

/** Sets a fresh instance up; resolves to the primary key. */
export async function setUp(api: Api, { password, setupCode }: Surroundings): Promise<string> {
  const code = { params: { query: { setupcode: setupCode } } };
  await got(api.GET('/api/meta'));
  await got(api.GET('/api/health'));
  await got(api.GET('/api/openapi.json'));
  await got(api.GET('/api/setup/restore', code));
  await refused(api.POST('/api/setup/backup', { ...file, ...code, body: 'no backup' }));
  await refused(api.POST('/api/setup/restore', { body: { id: 1, withoutkeys: true, setupcode: setupCode } }));
  const body = { email: 'anna@example.com', username: 'anna', password, setupcode: setupCode };
  return (await got(api.POST('/api/setup', { body }))).data.api_key;
}

/** Calls every other operation, most of them with success. */
export async function callEveryOperation(api: Api, surroundings: Surroundings): Promise<void> {
  const channel = await manageChannels(api);
  const campaign = await manageCampaigns(api);
  await manageInterstitials(api);
  const links = await manageLinks(api, campaign, channel, surroundings);
  await manageRules(api, links);
  await managePages(api, links, channel);
  await manageFiles(api);
  await manageDomains(api, surroundings.domainId);
  await manageSingleSignOn(api, surroundings);
  await manageMail(api);
  await manageWebhooks(api);
  await manageFleet(api);
  await manageAccount(api, surroundings);
  await manageTeams(api, surroundings);
  await manageUsers(api);
  await manageInstance(api);
}

async function manageChannels(api: Api): Promise<number> {
  const body = { name: 'Mail', description: 'What we send', color: '#abc', starred: true };
  const { id } = await got(api.POST('/api/channel/add', { body }));
  const { starred } = await got(api.PUT('/api/channel/{id}/update', { ...at(id), body: { starred: false } }));
  if (starred) throw new Error('The channel still has its star.');
  await got(api.DELETE('/api/channel/{id}/delete', at(id)));
  await got(api.POST('/api/channel/{id}/restore', at(id)));
  await got(api.GET('/api/channels', { params: { query: { ...paging, q: 'mai', items: 3 } } }));
  await got(api.GET('/api/channel/{id}', { params: { path: { id }, query: { ...paging, type: 'links' } } }));
  return id;
}

async function manageCampaigns(api: Api): Promise<number> {
  const added = await got(api.POST('/api/campaign/add', { body: { name: 'Spring', public: true } }));
  const { id } = added;
  if (added.name !== 'Spring' || added.campaign !== added.data.name) throw new Error('The name is missing.');
  await got(api.PUT('/api/campaign/{id}/update', { ...at(id), body: { slug: 'spring', domain: null } }));
  await got(api.DELETE('/api/campaign/{id}/delete', at(id)));
  await got(api.POST('/api/campaign/{id}/restore', at(id)));
  await refused(api.GET('/api/campaigns', { params: { query: { q: 's' } } }));
  await got(api.GET('/api/campaigns', { params: { query: { ...paging, figures: '1' } } }));
  return id;
}

async function manageInterstitials(api: Api): Promise<void> {
  const content = { text: 'Hello' };
  const { id } = await got(
    api.POST('/api/overlay/add', { body: { type: 'message', name: 'Hello', content, position: 'bottom' } }),
  );
  await got(api.POST('/api/overlay/preview', { body: { type: 'message', content } }));
  await got(api.PUT('/api/overlay/{id}/update', { ...at(id), body: { name: 'Bye' } }));
  await got(api.GET('/api/overlay/{id}', at(id)));
  await got(api.GET('/api/overlay/{id}/answers', at(id)));
  await refused(api.GET('/api/overlay/{id}/export', at(99_999)));
  const poll = await got(
    api.POST('/api/overlay/add', {
      body: { type: 'poll', name: 'Poll', content: { question: 'Which?', answers: ['One', 'Two'] } },
    }),
  );
  await got(api.GET('/api/overlay/{id}/export', at(poll.id)));
  await got(api.DELETE('/api/overlay/{id}/delete', at(id)));
  await got(api.POST('/api/overlay/{id}/restore', at(id)));
  await got(api.GET('/api/overlay', { params: { query: { type: 'message' } } }));

  const splash = await got(api.POST('/api/splash/add', { body: { name: 'Wait', counter: 5 } }));
  await got(api.POST('/api/splash/preview', { body: { title: 'Soon' } }));
  await got(api.PUT('/api/splash/{id}/update', { ...at(splash.id), body: { title: 'Soon' } }));
  await got(api.GET('/api/splash/{id}', at(splash.id)));
  await got(api.DELETE('/api/splash/{id}/delete', at(splash.id)));
  await got(api.POST('/api/splash/{id}/restore', at(splash.id)));
  await got(api.GET('/api/splash', { params: { query: paging } }));

  const pixel = await got(api.POST('/api/pixel/add', { body: { type: 'bing', name: 'Ads', tag: 'any-id' } }));
  await got(api.PUT('/api/pixel/{id}/update', { ...at(pixel.id), body: { tag: '12345678' } }));
  await got(api.GET('/api/pixel/{id}', { params: { path: { id: pixel.id }, query: { figures: '1' } } }));
  await got(api.DELETE('/api/pixel/{id}/delete', at(pixel.id)));
  await got(api.POST('/api/pixel/{id}/restore', at(pixel.id)));
  await got(api.GET('/api/pixels', { params: { query: { figures: '1' } } }));
}

async function manageLinks(
  api: Api,
  campaign: number,
  channel: number,
  { visit }: Surroundings,
): Promise<[number, number]> {
  const { id, shorturl } = await got(
    api.POST('/api/url/add', {
      body: {
        url: 'https://example.com/',
        custom: 'spring',
        campaign: String(campaign),
        channel: [channel],
        geotarget: [{ location: 'Germany', link: 'https://example.com/de' }],
        expiry: '2099-01-01',
      },
    }),
  );
  const other = (await got(api.POST('/api/url/add', { body: { url: 'https://example.com/two' } }))).id;
  const utm = await got(api.POST('/api/utm/add', { body: { name: 'Mail', source: 'mail', term: null } }));
  await got(api.PUT('/api/utm/{id}/update', { ...at(utm.id), body: { medium: 'letter' } }));
  await got(api.GET('/api/utms', { params: { query: paging } }));
  await got(api.POST('/api/url/add', { body: { url: 'https://example.com/', utm: 'Mail' } }));
  await got(api.DELETE('/api/utm/{id}/delete', at(utm.id)));
  await got(api.GET('/api/account/aliases'));
  await got(api.PUT('/api/account/aliases', { body: { length: 8, prefix: null } }));
  await got(api.POST('/api/url/suggest', { body: { url: 'https://example.com/spring-sale', title: null } }));
  await visit(shorturl);
  const { details } = await got(api.GET('/api/url/{id}', at(id)));
  // Members that are always sent need no question mark.
  if (details.location.germany === undefined || details.channel[0] !== channel)
    throw new Error('Wrong link.');
  await got(api.PUT('/api/url/{id}/update', { ...at(id), body: { title: 'Spring', type: 'frame' } }));
  await got(api.POST('/api/url/framing', { body: { url: 'https://example.com/' } }));
  await got(
    api.GET('/api/urls', { params: { query: { ...paging, order: 'clicks_desc', status: 'active' } } }),
  );
  await got(api.GET('/api/urls/export', { parseAs: 'text' }));
  await got(api.GET('/api/urls/export', { params: { query: { format: 'json' } } }));
  await got(api.GET('/api/urls/export', { params: { query: { inline: '1' } } }));
  const history = await got(api.GET('/api/url/{id}/history', at(id)));
  await got(api.POST('/api/undo/{id}', at(history.data.changes[0]?.id ?? 0)));
  await got(api.POST('/api/urls/bulk', { body: { ids: [id], action: 'archive', dryrun: true } }));
  await got(
    api.POST('/api/urls/import', { body: { rows: [{ url: 'https://example.com/three', tags: ['mail'] }] } }),
  );
  await got(api.DELETE('/api/url/{id}/delete', { params: { path: { id: other }, query: { force: '0' } } }));
  await got(api.POST('/api/urls/bulk', { body: { ids: [String(other)], action: 'restore' } }));
  const background = { ids: [other], action: 'unarchive' as const, background: true };
  const started = await got(api.POST('/api/urls/bulk', { body: background }));
  await got(api.GET('/api/urls/bulk'));
  await got(api.GET('/api/urls/bulk/{id}', at(started.data.job ?? 0)));
  await refused(api.POST('/api/urls/bulk/{id}/cancel', at(99_999)));

  const both = { params: { path: { campaignid: campaign, linkid: other } } };
  await got(api.POST('/api/campaign/{campaignid}/assign/{linkid}', { ...both, body: { weight: 2 } }));
  await got(api.PUT('/api/campaign/{id}/order', { ...at(campaign), body: { links: [other, id] } }));
  await got(api.GET('/api/campaign/{id}', { params: { path: { id: campaign }, query: { order: 'own' } } }));
  await got(api.GET('/api/campaign/{id}/stats', at(campaign)));
  await got(api.PUT('/api/campaign/{id}/statspage', { ...at(campaign), body: { on: true } }));
  await got(api.GET('/api/campaign/{id}/statspage', at(campaign)));
  await got(
    api.PUT('/api/url/{id}/statspage', { ...at(id), body: { on: true, password: null, referrers: true } }),
  );
  await got(api.GET('/api/url/{id}/statspage', at(id)));
  await got(api.POST('/api/campaign/{campaignid}/unassign/{linkid}', both));
  const item = { params: { path: { channelid: channel, type: 'links' as const, itemid: other } } };
  await got(api.POST('/api/channel/{channelid}/assign/{type}/{itemid}', item));
  await got(api.POST('/api/channel/{channelid}/unassign/{type}/{itemid}', item));

  await got(api.GET('/api/stats', { params: { query: { period: '7d' } } }));
  await got(api.GET('/api/stats/top', { params: { query: { period: 'all' } } }));
  await got(
    api.GET('/api/url/{id}/stats', { params: { path: { id }, query: { period: 'all', bots: '1' } } }),
  );
  const { data } = await got(api.GET('/api/url/{id}/clicks', at(id)));
  if (data.clicks.length !== 1) throw new Error('The visit is missing.');
  await got(api.GET('/api/clicks'));
  await got(api.GET('/api/parameters'));
  await got(api.PUT('/api/parameters', { body: { parameters: ['ref'] } }));
  await got(api.GET('/api/privacy'));
  await got(api.PUT('/api/privacy', { body: { noPlace: false } }));
  await got(api.GET('/api/clicks/export', { parseAs: 'text' }));
  await got(
    api.GET('/api/url/{id}/clicks/export', {
      params: { path: { id }, query: { format: 'jsonl', inline: '1' } },
    }),
  );
  await got(api.GET('/api/visits/orphans', { params: { query: { kind: 'unknown', group: 'none' } } }));
  await got(
    api.DELETE('/api/visits/orphans/delete', { params: { query: { domain: 'own', kind: 'probe' } } }),
  );
  const live = new AbortController();
  const { response } = await api.GET('/api/events', { parseAs: 'stream', signal: live.signal });
  if (!response.ok) throw new Error('There is no live stream.');
  live.abort();
  return [id, other];
}

async function manageRules(api: Api, [id]: [number, number]): Promise<void> {
  const visitor = { country: 'DE', device: 'iPhone' };
  await got(api.POST('/api/url/{id}/simulate', { ...at(id), body: visitor }));
  await got(api.POST('/api/url/simulate', { body: { ...visitor, link: { url: 'https://example.com/' } } }));
  await got(api.POST('/api/urls/simulate', { params: { query: paging }, body: visitor }));
  const made = await got(
    api.POST('/api/url/{id}/case/add', { ...at(id), body: { name: 'Germans', visitor } }),
  );
  await got(api.PUT('/api/case/{id}/update', { ...at(made.id), body: { expected: { status: 302 } } }));
  await got(api.GET('/api/url/{id}/cases', at(id)));
  await got(api.GET('/api/cases', { params: { query: paging } }));
  await got(api.DELETE('/api/case/{id}/delete', at(made.id)));
}

async function managePages(api: Api, [link]: [number, number], channel: number): Promise<void> {
  const bio = await got(
    api.POST('/api/bio/add', { body: { name: 'Me', blocks: [{ type: 'heading', text: 'Hello' }] } }),
  );
  const { id } = bio;
  await got(api.POST('/api/bio/preview', { body: { name: 'Me' } }));
  await got(api.PUT('/api/bio/{id}/update', { ...at(id), body: { title: 'Hello' } }));
  await got(api.GET('/api/bio/{id}', at(id)));
  await got(api.GET('/api/bio/{id}/messages', at(id)));
  await refused(
    api.DELETE('/api/bio/{bioid}/message/{messageid}/delete', {
      params: { path: { bioid: id, messageid: 1 } },
    }),
  );
  await got(api.GET('/api/bio/{id}/stats', { params: { path: { id }, query: { period: '30d' } } }));
  await got(
    api.POST('/api/channel/{channelid}/assign/{type}/{itemid}', {
      params: { path: { channelid: channel, type: 'bio', itemid: id } },
    }),
  );
  await got(api.DELETE('/api/bio/{id}/delete', at(id)));
  await got(api.POST('/api/bio/{id}/restore', at(id)));
  await got(api.GET('/api/bio', { params: { query: paging } }));

  const qr = await got(
    api.POST('/api/qr/add', { body: { type: 'link', data: { link }, foreground: '#999999' } }),
  );
  if (qr.warnings[0]?.code !== 'low_contrast') throw new Error('The warning is missing.');
  await got(api.POST('/api/qr/preview', { body: { type: 'text', data: 'Hello' } }));
  await got(api.PUT('/api/qr/{id}/update', { ...at(qr.id), body: { foreground: 'rgb(0, 0, 0)' } }));
  const { details, data } = await got(api.GET('/api/qr/{id}', at(qr.id)));
  if (details.link !== data.link || data.clicks !== 1) throw new Error('Wrong QR code.');
  await got(api.GET('/api/qr/{id}/render', { params: { path: { id: qr.id }, query: { format: 'svg' } } }));
  await got(api.DELETE('/api/qr/{id}/delete', at(qr.id)));
  await got(api.POST('/api/qr/{id}/restore', at(qr.id)));
  await got(api.GET('/api/qr', { params: { query: { ...paging, type: 'link' } } }));
}

async function manageFiles(api: Api): Promise<void> {
  const { id } = await got(
    api.POST('/api/files/upload/{filename}', {
      ...file,
      params: { path: { filename: 'notes.txt' }, query: { name: 'Notes', maxdownloads: 3 } },
      body: 'Some text.',
    }),
  );
  await got(api.PUT('/api/file/{id}/update', { ...at(id), body: { expiry: '2099-01-01' } }));
  await got(api.GET('/api/file/{id}', at(id)));
  await got(api.GET('/api/files/storage'));
  await got(api.POST('/api/picture/add', { body: { picture: onePixel } }));
  await got(api.GET('/api/files', { params: { query: { name: 'note' } } }));
  await got(api.DELETE('/api/file/{id}/delete', at(id)));
}

async function manageDomains(api: Api, id: number): Promise<void> {
  await refused(api.POST('/api/domain/add', { body: { domain: 'go.example.com', bioid: null } }));
  await got(api.GET('/api/domains', { params: { query: paging } }));
  await got(api.GET('/api/domains/platform'));
  await got(api.GET('/api/domains/overview'));
  await got(api.GET('/api/domains/setup', { params: { query: { domain: 'go.example.com' } } }));
  await got(api.GET('/api/domains/sync'));
  await got(api.POST('/api/domains/sync'));
  await got(api.GET('/api/domain/{id}', at(id)));
  await got(api.GET('/api/domain/{id}/setup', at(id)));
  await got(api.GET('/api/domain/{id}/log', at(id)));
  await got(api.GET('/api/domain/{id}/aliases', at(id)));
  await got(api.PUT('/api/domain/{id}/aliases', { ...at(id), body: { style: 'words', length: null } }));
  await got(
    api.PUT('/api/domain/{id}/update', {
      ...at(id),
      body: { redirectroot: 'https://example.com/', bioid: '0' },
    }),
  );
  await got(api.POST('/api/domain/{id}/check', at(id)));
  await got(api.DELETE('/api/domain/{id}/delete', at(id)));
  await got(api.GET('/api/sharing'));
  await got(api.GET('/api/sharing/nearby'));
}

async function manageSingleSignOn(api: Api, { password, provider }: Surroundings): Promise<void> {
  const settings = {
    enabled: true,
    issuer: provider.issuer,
    clientid: 'waypost',
    clientsecret: 'client secret',
    create: true,
  };
  await got(api.PUT('/api/sso', { body: settings }));
  const { hassecret } = (await got(api.GET('/api/sso'))).data;
  if (!hassecret) throw new Error('The secret of the client is missing.');
  await got(api.POST('/api/sso/test'));
  await got(api.GET('/api/auth/methods'));
  const secret = 'A'.repeat(43);
  const person = { sub: '1', email: 'carla@example.com', email_verified: true };
  const { url } = (await got(api.POST('/api/auth/sso/start', { body: { secret } }))).data;
  const back = { answer: provider.signIn(url, person), secret };
  await got(api.POST('/api/auth/sso/finish', { body: back }));
  await refused(api.POST('/api/auth/sso/finish', { body: back }));
  const begun = { secret, current_password: password };
  const way = (await got(api.POST('/api/account/identity/start', { body: begun }))).data.url;
  const answer = provider.signIn(way, { sub: '2', email: 'anna@example.com' });
  const linked = await got(api.POST('/api/account/identity/add', { body: { answer, secret } }));
  await got(api.GET('/api/account/identities'));
  await got(api.DELETE('/api/account/identity/{id}/delete', at(linked.data.id)));
  await got(api.PUT('/api/sso', { body: { enabled: false } }));
}

/** No mail is sent where it runs, and that is what it is told. */
async function manageMail(api: Api): Promise<void> {
  await got(api.GET('/api/mail'));
  await got(api.PUT('/api/mail', { body: { mail: { port: 587, security: 'starttls' } } }));
  await refused(api.POST('/api/mail/test'));
  await refused(api.POST('/api/auth/password/forgot', { body: { login: 'anna' } }));
  const body = { code: 'no such code', password: 'long enough' };
  await refused(api.POST('/api/auth/password/reset', { body }));
}

async function manageFleet(api: Api): Promise<void> {
  const { data } = await got(api.GET('/api/fleet'));
  if (data.enabled || data.state !== 'off') throw new Error('There is no fleet here.');
  await got(api.GET('/api/fleet/edges'));
  await refused(api.POST('/api/fleet/test', { body: {} }));
  await refused(api.PUT('/api/fleet/update', { body: { enabled: true } }));
  await refused(api.POST('/api/fleet/edge/add', { body: { name: 'Oslo' } }));
  await refused(api.DELETE('/api/fleet/edge/{id}/delete', at(99_999)));
}

async function manageWebhooks(api: Api): Promise<void> {
  const body = { url: 'https://hooks.example.com/', events: ['link.created' as const] };
  const { id } = await got(api.POST('/api/webhook/add', { body }));
  await got(api.PUT('/api/webhook/{id}/update', { ...at(id), body: { events: ['*'] } }));
  await got(api.GET('/api/webhook/{id}', at(id)));
  await got(api.POST('/api/webhook/{id}/test', at(id)));
  await got(api.GET('/api/webhook/{id}/deliveries', at(id)));
  await refused(
    api.POST('/api/webhook/{id}/redeliver/{deliveryid}', { params: { path: { id, deliveryid: 99_999 } } }),
  );
  await got(api.GET('/api/webhooks'));
  await got(api.DELETE('/api/webhook/{id}/delete', at(id)));
}

async function manageAccount(api: Api, { password, codeOf, passkey, wait }: Surroundings): Promise<void> {
  const { data } = await got(api.GET('/api/account'));
  if (!data.permissions.alias || data.address.city !== '') throw new Error('Wrong account.');
  await got(api.POST('/api/account'));
  await got(api.PUT('/api/account/update', { body: { name: 'Anna Berg', perpage: 50 } }));
  await got(api.GET('/api/audit', { params: { query: { show: 'own', view: 'all' } } }));
  await got(api.GET('/api/audit/people'));

  const { secret } = (await got(api.POST('/api/account/2fa/setup'))).data;
  await refused(api.POST('/api/account/2fa/enable', { body: { code: '000000' } }));
  await got(api.POST('/api/account/2fa/enable', { body: { code: codeOf(secret) } }));
  await got(api.POST('/api/account/2fa/recovery', { body: { current_password: password } }));
  const login = { login: 'anna', password };
  await refused(api.POST('/api/auth/login', { body: login }));
  wait();
  await got(api.POST('/api/account/2fa/disable', { body: { code: codeOf(secret) } }));

  const { token } = (await got(api.POST('/api/auth/login', { body: login }))).data;
  const asSession = { headers: { Authorization: `Bearer ${token}` } };
  const { sessions } = (await got(api.GET('/api/auth/sessions', asSession))).data;
  await refused(api.DELETE('/api/auth/session/{id}/delete', at(99_999)));
  const current = sessions.find((session) => session.current);
  await got(api.POST('/api/auth/logout', asSession));
  if (!current) throw new Error('The session is missing.');
  const second = (await got(api.POST('/api/auth/login', { body: login }))).data.token;
  const listed = await got(api.GET('/api/auth/sessions', { headers: { Authorization: `Bearer ${second}` } }));
  await signInThroughBrowser(api, second);
  await got(api.DELETE('/api/auth/session/{id}/delete', at(listed.data.sessions[0]?.id ?? 0)));

  const begun = { current_password: password };
  const { options } = (await got(api.POST('/api/account/passkey/options', { body: begun }))).data;
  const credential = passkey.create(options);
  const added = await got(api.POST('/api/account/passkey/add', { body: { credential } }));
  await got(api.GET('/api/account/passkeys'));
  await got(api.PUT('/api/account/passkey/{id}/update', { ...at(added.data.id), body: { name: 'Laptop' } }));
  const asked = (await got(api.POST('/api/auth/passkey/options'))).data.options;
  const signed = passkey.get(asked);
  await got(api.POST('/api/auth/passkey/login', { body: { credential: signed } }));
  await refused(api.POST('/api/auth/passkey/login', { body: { credential: signed } }));
  await got(api.DELETE('/api/account/passkey/{id}/delete', at(added.data.id)));

  const key = await got(api.POST('/api/key/add', { body: { name: 'Reader', scopes: ['links:read'] } }));
  const asReader = { headers: { Authorization: `Bearer ${key.data.api_key}` } };
  await refused(api.POST('/api/url/add', { ...asReader, body: { url: 'https://example.com/' } }));
  await got(api.PUT('/api/key/{id}/update', { ...at(key.data.id), body: { expires: null } }));
  await got(api.GET('/api/keys'));
  await got(api.DELETE('/api/key/{id}/delete', at(key.data.id)));
  await refused(api.POST('/api/account/api/regenerate', { body: { force: false } }));
}

/** As a desktop app does, with the example of RFC 7636, appendix B. */
async function signInThroughBrowser(api: Api, token: string): Promise<void> {
  const redirecturi = 'http://127.0.0.1:49152/signed-in';
  const wish = {
    challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    redirecturi,
    device: 'Waypost on studio',
  };
  await refused(api.POST('/api/auth/browser/approve', { body: wish }));
  const inBrowser = { headers: { Authorization: `Bearer ${token}` }, body: wish };
  const { code } = (await got(api.POST('/api/auth/browser/approve', inBrowser))).data;
  const body = { code, verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk', redirecturi };
  await got(api.POST('/api/auth/browser/finish', { body }));
  await refused(api.POST('/api/auth/browser/finish', { body }));
}

async function manageTeams(api: Api, { password }: Surroundings): Promise<void> {
  const { id } = await got(api.POST('/api/team/add', { body: { name: 'Press' } }));
  await got(api.GET('/api/teams', { params: { query: paging } }));
  await got(api.GET('/api/teams', { params: { query: { ...paging, deleted: '1' } } }));
  const { data: all } = await got(api.GET('/api/teams/all', { params: { query: paging } }));
  if (all.teams[0]?.owner.username === undefined) throw new Error('A team without an owner.');
  const { data: shown } = await got(api.GET('/api/team/{id}', at(id)));
  if (shown.role !== 'owner' || shown.members !== 1) throw new Error('Wrong team.');
  await got(api.PUT('/api/team/{id}/update', { ...at(id), body: { name: 'Press office' } }));
  const { code, id: inviteid } = await got(
    api.POST('/api/team/{id}/invite', { ...at(id), body: { role: 'editor', uses: 2 } }),
  );
  await got(api.GET('/api/team/{id}/invites', at(id)));

  const body = { username: 'emil', email: 'emil@example.com', password };
  const { data: emil } = await got(api.POST('/api/user/add', { body }));
  const login = { login: 'emil', password };
  const { token } = (await got(api.POST('/api/auth/login', { body: login }))).data;
  const asEmil = { headers: { Authorization: `Bearer ${token}` } };
  const { data: invited } = await got(api.POST('/api/team/invitation', { body: { code }, ...asEmil }));
  if (invited.team.name !== 'Press office' || invited.role !== 'editor') throw new Error('Wrong invitation.');
  await got(api.POST('/api/team/join', { ...asEmil, body: { code } }));
  const sent = await got(api.POST('/api/url/add', { ...asEmil, body: { url: 'https://example.com/press' } }));
  const here = await got(api.POST('/api/presence', { ...asEmil, body: { resource: 'links', id: sent.id } }));
  if (here.data.people[0]?.id !== emil.id) throw new Error('Nobody is at the link.');
  const moving = { from: emil.id, to: id, resource: 'links' as const, ids: [sent.id] };
  await got(api.POST('/api/move/preview', { ...asEmil, body: moving }));
  const moved = await got(api.POST('/api/move', { ...asEmil, body: { ...moving, related: 'leave' } }));
  if (moved.moved !== 1 || moved.undo === null) throw new Error('The link did not move.');
  await got(api.POST('/api/undo/{id}', { ...at(moved.undo), ...asEmil }));
  await got(api.DELETE('/api/team/{id}/invite/{inviteid}/delete', { params: { path: { id, inviteid } } }));
  await got(api.GET('/api/team/{id}/members', { params: { path: { id }, query: paging } }));
  const member = { params: { path: { id, userid: emil.id } } };
  await got(api.PUT('/api/team/{id}/member/{userid}/update', { ...member, body: { role: 'admin' } }));
  await got(api.POST('/api/team/{id}/transfer', { ...at(id), body: { userid: emil.id, password } }));
  await got(api.POST('/api/team/{id}/leave', at(id)));
  await got(api.POST('/api/team/{id}/admit', at(id)));
  const self = (await got(api.GET('/api/account'))).data.id;
  const own = { params: { path: { id, userid: self } } };
  await got(api.DELETE('/api/team/{id}/member/{userid}/delete', { ...own, ...asEmil }));
  await got(api.DELETE('/api/team/{id}/delete', { ...at(id), ...asEmil, body: { password } }));
  await got(api.POST('/api/team/{id}/restore', { ...at(id), ...asEmil }));
  await got(api.DELETE('/api/team/{id}/delete', { ...at(id), ...asEmil, body: { password } }));
  await got(api.DELETE('/api/user/{id}/delete', at(emil.id)));
}

async function manageUsers(api: Api): Promise<void> {
  const person = { username: 'ben', email: 'ben@example.com', password: 'correct horse' };
  const { id } = (await got(api.POST('/api/user/add', { body: person }))).data;
  const plan = (await got(api.POST('/api/plan/add', { body: { name: 'Team', limits: { links: 10 } } }))).data;
  await got(api.PUT('/api/plan/{id}/update', { ...at(plan.id), body: { features: { bio: { count: 2 } } } }));
  await got(
    api.PUT('/api/plan/{planid}/user/{userid}', {
      params: { path: { planid: plan.id, userid: id } },
      body: { type: 'monthly' },
    }),
  );
  await got(api.GET('/api/plans'));
  await got(api.PUT('/api/user/{id}/update', { ...at(id), body: { planid: '1', name: 'Ben' } }));
  await got(api.GET('/api/user/{id}', at(id)));
  await got(api.GET('/api/users', { params: { query: { filter: 'admin' } } }));
  await got(api.DELETE('/api/plan/{id}/delete', at(plan.id)));
  await got(api.DELETE('/api/user/{id}/delete', at(id)));

  const { code } = (await got(api.POST('/api/invite/add', { body: { email: 'cleo@example.com' } }))).data;
  const guest = { username: 'cleo', email: 'cleo@example.com', password: 'correct horse' };
  await got(api.POST('/api/auth/register', { body: { ...guest, code } }));
  await got(api.POST('/api/invite/add', { body: {} }));
  const invites = await got(api.GET('/api/invites'));
  await got(api.DELETE('/api/invite/{id}/delete', at(invites.data[0]?.id ?? 0)));
}

async function manageInstance(api: Api): Promise<void> {
  await got(api.GET('/api/instance'));
  await got(api.GET('/api/settings'));
  await got(api.PUT('/api/settings', { body: { privacy: { doNotTrack: true }, backup: { hour: 4 } } }));
  await got(api.GET('/api/places'));
  const noPlaces = { ...file, bodySerializer: () => 'no database' };
  await refused(
    api.POST('/api/places/upload', { ...noPlaces, body: 'the content, as the serializer has it' }),
  );
  await got(api.DELETE('/api/places/delete'));
  await got(api.PUT('/api/backup/passphrase', { body: { passphrase: null } }));
  const { id } = await got(api.POST('/api/backup/add'));
  for (let state = 'running'; state === 'running' || state === 'unchecked'; ) {
    ({ state } = (await got(api.GET('/api/backup/{id}', at(id)))).data);
  }
  await got(api.GET('/api/backups'));
  const content = await got(api.GET('/api/backup/{id}/download', { ...at(id), parseAs: 'blob' }));
  const { path } = (await got(api.POST('/api/backup/{id}/ticket', at(id)))).data;
  const ticket = new URLSearchParams(path.split('?')[1]).get('ticket') ?? '';
  await got(api.GET('/api/backups/download', { params: { query: { ticket } }, parseAs: 'blob' }));
  await refused(api.GET('/api/backups/download', { params: { query: { ticket } } }));
  const sent = { ...file, bodySerializer: () => content };
  await got(api.POST('/api/backup/upload', { ...sent, body: 'the content, as the serializer has it' }));
  await got(api.POST('/api/backup/{id}/check', at(id)));
  await refused(api.POST('/api/backup/{id}/cancel', at(99_999)));
  await refused(api.POST('/api/backup/restore', { body: { id: 99_999, withoutkeys: true } }));
  for (let running: unknown = true; running !== null; ) {
    ({ running } = (await got(api.GET('/api/backups'))).data);
  }
  await got(api.DELETE('/api/backup/{id}/delete', at(id)));
}
