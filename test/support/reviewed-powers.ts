/**
 * What every operation asks of a key, as it was reviewed: what it reads and writes, whichever way. An operation that is new, or
 * asks for something else, is looked at (what does its answer show, what does it let go on?) before it is written here.
 * An empty list is for operations without a key, and for the end of the caller's own session.
 */
export const reviewedPowers: Readonly<Record<string, readonly string[]>> = {
  'POST /api/auth/login': [],
  'POST /api/auth/logout': [],
  'POST /api/auth/register': [],
  'GET /api/backups/download': [],
  'GET /api/health': [],
  'GET /api/meta': [],
  'GET /api/openapi.json': [],
  'POST /api/setup': [],
  'POST /api/setup/backup': [],
  'POST /api/setup/restore': [],
  'GET /api/setup/restore': [],
  // account:read
  'GET /api/account': ['account:read'],
  'POST /api/account': ['account:read'],
  'GET /api/audit': ['account:read'],
  'GET /api/auth/sessions': ['account:read'],
  'GET /api/keys': ['account:read'],
  // account:write
  'POST /api/account/2fa/disable': ['account:write'],
  'POST /api/account/2fa/recovery': ['account:write'],
  'POST /api/account/api/regenerate': ['account:write'],
  'PUT /api/account/update': ['account:write'],
  'DELETE /api/auth/session/:id/delete': ['account:write'],
  'DELETE /api/key/:id/delete': ['account:write'],
  'PUT /api/key/:id/update': ['account:write'],
  'POST /api/key/add': ['account:write'],
  // bio:read
  'GET /api/bio': ['bio:read'],
  'GET /api/bio/:id': ['bio:read'],
  'GET /api/bio/:id/messages': ['bio:read'],
  // bio:write
  'DELETE /api/bio/:bioid/message/:messageid/delete': ['bio:write'],
  'DELETE /api/bio/:id/delete': ['bio:write'],
  'POST /api/bio/:id/restore': ['bio:write'],
  'PUT /api/bio/:id/update': ['bio:write'],
  'POST /api/bio/add': ['bio:write'],
  'POST /api/bio/preview': ['bio:write'],
  // campaigns:read
  'GET /api/campaigns': ['campaigns:read'],
  // campaigns:read links:read
  'GET /api/campaign/:id': ['campaigns:read', 'links:read'],
  // campaigns:write
  'POST /api/campaign/:campaignid/unassign/:linkid': ['campaigns:write'],
  'DELETE /api/campaign/:id/delete': ['campaigns:write'],
  'PUT /api/campaign/:id/order': ['campaigns:write'],
  'POST /api/campaign/:id/restore': ['campaigns:write'],
  'POST /api/campaign/add': ['campaigns:write'],
  // campaigns:write links:read
  'POST /api/campaign/:campaignid/assign/:linkid': ['campaigns:write', 'links:read'],
  'PUT /api/campaign/:id/update': ['campaigns:write', 'links:read'],
  // channels:read
  'GET /api/channels': ['channels:read'],
  // channels:read links:read bio:read qr:read
  'GET /api/channel/:id': ['channels:read', 'links:read', 'bio:read', 'qr:read'],
  // channels:write
  'POST /api/channel/:channelid/assign/:type/:itemid': ['channels:write'],
  'POST /api/channel/:channelid/unassign/:type/:itemid': ['channels:write'],
  'DELETE /api/channel/:id/delete': ['channels:write'],
  'POST /api/channel/:id/restore': ['channels:write'],
  'PUT /api/channel/:id/update': ['channels:write'],
  'POST /api/channel/add': ['channels:write'],
  // domains:read
  'GET /api/domain/:id': ['domains:read'],
  'GET /api/domain/:id/log': ['domains:read'],
  'GET /api/domain/:id/setup': ['domains:read'],
  'GET /api/domains': ['domains:read'],
  'GET /api/domains/overview': ['domains:read'],
  'GET /api/domains/platform': ['domains:read'],
  'GET /api/domains/setup': ['domains:read'],
  'GET /api/domains/sync': ['domains:read'],
  // domains:write
  'POST /api/domain/:id/check': ['domains:write'],
  'DELETE /api/domain/:id/delete': ['domains:write'],
  'PUT /api/domain/:id/update': ['domains:write'],
  'POST /api/domain/add': ['domains:write'],
  'POST /api/domains/sync': ['domains:write'],
  // files:read
  'GET /api/file/:id': ['files:read'],
  'GET /api/files': ['files:read'],
  'GET /api/files/storage': ['files:read'],
  // files:write
  'DELETE /api/file/:id/delete': ['files:write'],
  'PUT /api/file/:id/update': ['files:write'],
  'POST /api/files/upload/:filename': ['files:write'],
  // full
  'POST /api/account/2fa/enable': ['full'],
  'POST /api/account/2fa/setup': ['full'],
  'GET /api/backup/:id/download': ['full'],
  'POST /api/backup/:id/ticket': ['full'],
  'PUT /api/backup/passphrase': ['full'],
  'POST /api/backup/restore': ['full'],
  'POST /api/backup/upload': ['full'],
  // links:read
  'GET /api/cases': ['links:read'],
  'GET /api/url/:id': ['links:read'],
  'GET /api/url/:id/cases': ['links:read'],
  'GET /api/url/:id/history': ['links:read'],
  'POST /api/url/:id/simulate': ['links:read'],
  'POST /api/url/framing': ['links:read'],
  'GET /api/urls': ['links:read'],
  'GET /api/urls/export': ['links:read'],
  'POST /api/urls/simulate': ['links:read'],
  // links:write
  'DELETE /api/case/:id/delete': ['links:write'],
  'PUT /api/case/:id/update': ['links:write'],
  'POST /api/undo/:id': ['links:write'],
  'POST /api/url/:id/case/add': ['links:write'],
  'DELETE /api/url/:id/delete': ['links:write'],
  'PUT /api/url/:id/update': ['links:write'],
  'POST /api/url/add': ['links:write'],
  'POST /api/urls/bulk': ['links:write'],
  'POST /api/urls/import': ['links:write'],
  // overlays:read
  'GET /api/overlay': ['overlays:read'],
  'GET /api/overlay/:id': ['overlays:read'],
  'GET /api/overlay/:id/answers': ['overlays:read'],
  'GET /api/overlay/:id/export': ['overlays:read'],
  'POST /api/overlay/preview': ['overlays:read'],
  // overlays:write
  'DELETE /api/overlay/:id/delete': ['overlays:write'],
  'POST /api/overlay/:id/restore': ['overlays:write'],
  'PUT /api/overlay/:id/update': ['overlays:write'],
  'POST /api/overlay/add': ['overlays:write'],
  // pixels:read
  'GET /api/pixel/:id': ['pixels:read'],
  'GET /api/pixels': ['pixels:read'],
  // pixels:write
  'DELETE /api/pixel/:id/delete': ['pixels:write'],
  'POST /api/pixel/:id/restore': ['pixels:write'],
  'PUT /api/pixel/:id/update': ['pixels:write'],
  'POST /api/pixel/add': ['pixels:write'],
  // qr:read
  'GET /api/qr': ['qr:read'],
  'GET /api/qr/:id/render': ['qr:read'],
  'POST /api/qr/preview': ['qr:read'],
  // qr:read links:read
  'GET /api/qr/:id': ['qr:read', 'links:read'],
  // qr:write
  'DELETE /api/qr/:id/delete': ['qr:write'],
  'POST /api/qr/:id/restore': ['qr:write'],
  'PUT /api/qr/:id/update': ['qr:write'],
  'POST /api/qr/add': ['qr:write'],
  // settings:read
  'GET /api/backup/:id': ['settings:read'],
  'GET /api/backups': ['settings:read'],
  'GET /api/instance': ['settings:read'],
  'GET /api/settings': ['settings:read'],
  'GET /api/sharing': ['settings:read'],
  'GET /api/sharing/nearby': ['settings:read'],
  // settings:write
  'POST /api/backup/:id/cancel': ['settings:write'],
  'POST /api/backup/:id/check': ['settings:write'],
  'DELETE /api/backup/:id/delete': ['settings:write'],
  'POST /api/backup/add': ['settings:write'],
  'PUT /api/settings': ['settings:write'],
  // splash:read
  'GET /api/splash': ['splash:read'],
  'GET /api/splash/:id': ['splash:read'],
  'POST /api/splash/preview': ['splash:read'],
  // splash:write
  'DELETE /api/splash/:id/delete': ['splash:write'],
  'POST /api/splash/:id/restore': ['splash:write'],
  'PUT /api/splash/:id/update': ['splash:write'],
  'POST /api/splash/add': ['splash:write'],
  // stats:read
  'GET /api/campaign/:id/stats': ['stats:read'],
  'GET /api/url/:id/stats': ['stats:read'],
  // stats:read bio:read
  'GET /api/bio/:id/stats': ['stats:read', 'bio:read'],
  // stats:read links:read
  'GET /api/clicks': ['stats:read', 'links:read'],
  'GET /api/events': ['stats:read', 'links:read'],
  'GET /api/stats': ['stats:read', 'links:read'],
  'GET /api/url/:id/clicks': ['stats:read', 'links:read'],
  // users:read
  'GET /api/invites': ['users:read'],
  'GET /api/plans': ['users:read'],
  'GET /api/user/:id': ['users:read'],
  'GET /api/users': ['users:read'],
  // users:write
  'DELETE /api/invite/:id/delete': ['users:write'],
  'POST /api/invite/add': ['users:write'],
  'DELETE /api/plan/:id/delete': ['users:write'],
  'PUT /api/plan/:id/update': ['users:write'],
  'PUT /api/plan/:planid/user/:userid': ['users:write'],
  'POST /api/plan/add': ['users:write'],
  'DELETE /api/user/:id/delete': ['users:write'],
  'PUT /api/user/:id/update': ['users:write'],
  'POST /api/user/add': ['users:write'],
  // webhooks:read
  'GET /api/webhook/:id': ['webhooks:read'],
  'GET /api/webhook/:id/deliveries': ['webhooks:read'],
  'GET /api/webhooks': ['webhooks:read'],
  // webhooks:write
  'DELETE /api/webhook/:id/delete': ['webhooks:write'],
  'POST /api/webhook/:id/redeliver/:deliveryid': ['webhooks:write'],
  'POST /api/webhook/:id/test': ['webhooks:write'],
  'PUT /api/webhook/:id/update': ['webhooks:write'],
  'POST /api/webhook/add': ['webhooks:write'],
  // teams:read
  'GET /api/team/:id': ['teams:read'],
  'GET /api/team/:id/invites': ['teams:read'],
  'GET /api/team/:id/members': ['teams:read'],
  'GET /api/teams': ['teams:read'],
  // teams:write; whoever makes somebody an admin of a team needs a full key, as whoever becomes one
  'DELETE /api/team/:id/delete': ['teams:write'],
  'DELETE /api/team/:id/invite/:inviteid/delete': ['teams:write'],
  'DELETE /api/team/:id/member/:userid/delete': ['teams:write'],
  'POST /api/team/:id/admit': ['full'],
  'POST /api/team/:id/invite': ['teams:write'],
  'POST /api/team/:id/leave': ['teams:write'],
  'POST /api/team/:id/restore': ['teams:write'],
  'POST /api/team/:id/transfer': ['teams:write'],
  'POST /api/team/add': ['teams:write'],
  'POST /api/team/join': ['teams:write'],
  'PUT /api/team/:id/member/:userid/update': ['teams:write'],
  'PUT /api/team/:id/update': ['teams:write'],
};
