import { type Section, testsOf } from '../section.ts';

const here = testsOf('test/conformance/domains.test.ts');
const variants = testsOf('test/conformance/domain-variants.test.ts');
const acme = testsOf('test/server/network/domains-acme.test.ts');
const account = testsOf('test/conformance/account.test.ts');
const campaigns = testsOf('test/conformance/campaigns.test.ts');

const created = here('replies with 201, the published fields and nothing else');
const listed = here('has the published envelope and is paged');
const platform = here('shows platform domains without an id on plans that include them');
const changed = here('replies with the published fields and keeps omitted ones');
const checked = here('refreshes the four fields immediately, even if it fails');
const activated = here('activates a new domain, whose links then work');
const refusedOnAdd = here('refuses %j and adds nothing');
const pictures = here('are re-encoded, served from here, replaced and removed');
const pictureSizes = here('can be as large as the contract says: 500 KB for a logo, 100 KB for a favicon');
const deleted = here('detaches links and campaigns, and stops its routing immediately');
const ten = here('sets the status to 0 after ten failures in a row, and back to 1 after a success');

export const section: Section = {
  name: 'Branded domains',
  closed: true,
  rows: [
    {
      id: 'domain.id',
      rule: 'id is an integer, and null for platform domains',
      tests: [...created, ...platform],
    },
    {
      id: 'domain.platform',
      rule: 'platform is present and true on platform domains in lists',
      tests: platform,
    },
    {
      id: 'domain.domain',
      rule: 'domain is stored as https://<host>, given with or without https://',
      tests: here('stores %j as https://%s'),
    },
    {
      id: 'domain.immutable',
      rule: 'The host name cannot be changed after creation',
      tests: here('ignores the host and all read-only fields'),
    },
    {
      id: 'domain.redirectroot',
      rule: 'redirectroot is where the bare domain redirects, or null',
      tests: [...activated, ...changed],
    },
    {
      id: 'domain.redirect404',
      rule: 'redirect404 is where unknown short links redirect, or null',
      tests: [...activated, ...changed],
    },
    {
      id: 'domain.bioid',
      rule: 'bioid is a bound bio profile or null; 0 or null clears it',
      tests: here(
        'treats %j as no bio page',
        'refuses a bio page that does not exist, and one together with redirectroot',
      ),
    },
    { id: 'domain.logo', rule: 'logo is the path of the stored logo, or null', tests: pictures },
    { id: 'domain.favicon', rule: 'favicon is the path of the stored favicon, or null', tests: pictures },
    {
      id: 'domain.status',
      rule: 'status is 0 or 1',
      tests: [...here('disables and enables it'), ...ten],
    },
    {
      id: 'domain.dns_type',
      rule: 'dns_type is direct or cloudflare; others may occur',
      tests: [
        ...created,
        ...here('accepts a domain behind Cloudflare'),
        ...variants('unknown types of DNS records are accepted by our client'),
      ],
    },
    { id: 'domain.dns_status', rule: 'dns_status is 0 or 1', tests: checked },
    {
      id: 'domain.ssl_status',
      rule: 'ssl_status is 0 or 1',
      tests: acme('works from adding to a redirect over verified HTTPS'),
    },
    { id: 'domain.server_synced', rule: 'server_synced is 0 or 1', tests: activated },
    {
      id: 'domain.resolved_ip',
      rule: 'resolved_ip is the address at the last check',
      tests: [
        ...checked,
        ...here('keeps the last good state while the name servers are silent, and counts the failures'),
      ],
    },
    { id: 'domain.dns_checked_at', rule: 'dns_checked_at is a timestamp', tests: [...created, ...checked] },
    { id: 'domain.dns_failure_count', rule: 'dns_failure_count counts failed checks in a row', tests: ten },
    {
      id: 'domain.reduced',
      rule: 'A list entry may have only id, domain, redirectroot and redirect404',
      tests: variants(
        'of a domain in a list, with an error of 0 as text, is accepted by our client',
        'of one domain, without its states, is accepted by our client',
      ),
    },

    {
      id: 'domain.state.none',
      rule: 'POST /api/domain/add that passes the instant DNS check: created, server_synced 0, with the three DNS fields',
      tests: created,
    },
    {
      id: 'domain.state.created',
      rule: 'The job activates a created domain and provisions SSL; the message tells when',
      tests: [...created, ...activated, ...acme('works from adding to a redirect over verified HTTPS')],
    },
    {
      id: 'domain.state.check',
      rule: 'POST /api/domain/:id/check refreshes dns_type, dns_status, resolved_ip and dns_checked_at at once',
      tests: checked,
    },
    {
      id: 'domain.state.deleted',
      rule: 'Delete takes it off the servers if it was synced, unbinds its short links, then deletes the record',
      tests: [
        ...deleted,
        ...here('is deleted like any other'),
        ...acme('is removed with its key when deleted'),
      ],
    },
    {
      id: 'domain.state.ssl',
      rule: 'Further transitions of ssl_status (left open by the contract)',
      tests: acme(
        'is renewed 30 days before expiry, and the new certificate is used immediately',
        'gets a new certificate if the authority has revoked the old one',
      ),
    },
    {
      id: 'domain.state.failures',
      rule: 'What failed checks lead to (left open by the contract)',
      tests: ten,
    },

    {
      id: 'domains.list',
      rule: "GET /api/domains is the envelope with the user's domains and entitled platform domains",
      tests: [...listed, ...platform, ...here('shows only what the account may use')],
    },
    { id: 'domain.get', rule: 'GET /api/domain/:id answers the record', tests: created },
    {
      id: 'domain.add',
      rule: 'POST /api/domain/add answers error, id, message and the seven fields of data; id alone occurs',
      tests: [...created, ...variants('of an added domain, only its id, is accepted by our client')],
    },
    {
      id: 'domain.update',
      rule: 'PUT /api/domain/:id/update is partial and answers id, domain and redirectroot',
      tests: [
        ...changed,
        ...here('refuses %j and changes nothing'),
        ...variants('of an updated or deleted domain, only the message, is accepted by our client'),
      ],
    },
    { id: 'domain.check', rule: 'POST /api/domain/:id/check answers the four fields', tests: checked },
    { id: 'domain.delete', rule: 'DELETE /api/domain/:id/delete answers a message', tests: deleted },
    {
      id: 'domain.add.domain',
      rule: 'domain is required and a host name',
      tests: here('refuses %j', 'refuses the type %j'),
    },
    {
      id: 'domain.add.exclusive',
      rule: 'redirectroot and bioid exclude each other',
      tests: [
        ...refusedOnAdd,
        ...here(
          'accepts redirectroot together with %j',
          'refuses a bio page that does not exist, and one together with redirectroot',
        ),
      ],
    },
    {
      id: 'domain.add.bio',
      rule: 'bioid needs a plan with bio pages',
      tests: here('requires the plan, and bio pages theirs, before anything is looked up'),
    },
    {
      id: 'domain.update.pictures',
      rule: 'logo and favicon replace the stored pictures',
      tests: pictures,
    },

    {
      id: 'domain.error.dns',
      rule: 'A domain that does not resolve here is refused, with the resolved address reported',
      tests: here('refuses a host that resolves to %j and reports the address'),
    },
    {
      id: 'domain.error.proxy',
      rule: 'One that resolves to a CDN proxy in front of the service is taken',
      tests: here('accepts a domain behind Cloudflare'),
    },
    {
      id: 'domain.error.campaign',
      rule: "A campaign takes no domain that is not the user's own or an entitled platform domain",
      tests: campaigns("treats another account's domain like one that does not exist"),
    },
    {
      id: 'domain.error.default',
      rule: 'The default domain of an account is silently ignored on free accounts',
      tests: account('silently ignores defaulttype and domain on a free account'),
    },
    {
      id: 'domain.error.foreign',
      rule: "Another user's domain is 404 like one that does not exist",
      tests: here('are 404 in every path and remain unchanged', 'cannot have an id such as %s'),
    },
    {
      id: 'domain.error.taken',
      rule: 'A host name is used once, over all users and spellings (left open by the contract)',
      tests: here('accepts each host once, across users and spellings'),
    },

    {
      id: 'domain.limit.logo',
      rule: 'A logo is a PNG or JPEG of at most 500 KB',
      tests: [...pictures, ...pictureSizes, ...refusedOnAdd],
    },
    {
      id: 'domain.limit.favicon',
      rule: 'A favicon is a PNG or JPEG of at most 100 KB',
      tests: [...pictures, ...pictureSizes, ...refusedOnAdd],
    },
    {
      id: 'domain.limit.job',
      rule: 'The activation job runs every 10 minutes',
      tests: [
        ...here('is for administrators, and reports its last and next run'),
        ...testsOf('test/server/platform/scheduler.test.ts')('runs at its interval'),
      ],
    },
    {
      id: 'domain.plan',
      rule: 'Ours: domains need a plan that has them, up to its count',
      tests: here('requires the plan, and bio pages theirs, before anything is looked up'),
    },
    {
      id: 'domain.administrators',
      rule: 'Ours: administrators offer platform domains to plans',
      tests: here(
        'is read, assigned to plans and deleted by administrators',
        'can be neither read nor changed by anyone else',
      ),
    },
    {
      id: 'domain.log',
      rule: 'Ours: the log of a domain and what comes next',
      tests: here('is paged, newest first, with the next run'),
    },
    {
      id: 'domain.setup',
      rule: 'Ours: which records a host needs, before and after it was added',
      tests: testsOf('test/server/network/domains-setup.test.ts')(
        "are address records for each address of the service, under the zone's name",
        'are returned again for an added domain, to its owner only',
        "are counted in the order of the list, limited to one's own",
      ),
    },
    {
      id: 'domain.own',
      rule: "Ours: the instance's own address has a certificate, too",
      tests: testsOf('test/server/network/own-certificate.test.ts')(
        'serves the API over HTTPS by each of its names and addresses',
        'serves the API over HTTPS, and redirects plain visitors and administrators there',
        'is served in every mode, identified by its fingerprint, and kept while the names stay',
      ),
    },
    {
      id: 'domain.admin',
      rule: 'Ours: a branded domain never opens the interface or the admin pages',
      tests: here('never serves the API or admin pages on a branded domain'),
    },
  ],
};
