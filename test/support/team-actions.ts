/**
 * The role that each account endpoint requires, written by hand from the table of roles: the contract derives it, and a
 * mistake there would otherwise be expected by the tests as well.
 */
export const teamActions = {
  /** Every member; whoever sees only what they created, of that. */
  see: `
    GET /api/account, POST /api/account, PUT /api/account/update, GET /api/account/aliases, GET /api/audit,
    GET /api/audit/people, GET /api/bio, GET /api/bio/:id, GET /api/bio/:id/messages, GET /api/bio/:id/stats,
    POST /api/bio/preview, GET /api/campaign/:id, GET /api/campaign/:id/stats, GET /api/campaign/:id/statspage,
    GET /api/campaigns, GET /api/cases, GET /api/channel/:id, GET /api/channels, GET /api/clicks,
    GET /api/domain/:id, GET /api/domain/:id/aliases, GET /api/domain/:id/log, GET /api/domain/:id/setup,
    GET /api/domains, GET /api/domains/overview, GET /api/domains/setup, GET /api/events, GET /api/file/:id,
    GET /api/files, GET /api/files/storage, GET /api/overlay, GET /api/overlay/:id, GET /api/overlay/:id/answers,
    POST /api/overlay/preview, GET /api/parameters, GET /api/pixel/:id, GET /api/pixels, POST /api/presence,
    GET /api/privacy, GET /api/qr, GET /api/qr/:id, GET /api/qr/:id/render, POST /api/qr/preview, GET /api/splash,
    GET /api/splash/:id, POST /api/splash/preview, GET /api/stats, GET /api/stats/top, GET /api/url/:id,
    GET /api/url/:id/cases, GET /api/url/:id/clicks, GET /api/url/:id/history,
    GET /api/url/:id/stats, GET /api/url/:id/statspage, POST /api/url/:id/simulate, POST /api/url/framing,
    POST /api/url/simulate, POST /api/url/suggest, GET /api/urls, GET /api/urls/bulk, GET /api/urls/bulk/:id,
    POST /api/urls/simulate, GET /api/utms, GET /api/visits/orphans, GET /api/webhook/:id,
    GET /api/webhook/:id/deliveries, GET /api/webhooks`,
  /** From contributors on; bulk actions and undo leave alone what others created. */
  create: `
    POST /api/bio/add, POST /api/campaign/add, POST /api/channel/add, POST /api/files/upload/:filename,
    POST /api/overlay/add, POST /api/picture/add, POST /api/pixel/add, POST /api/qr/add, POST /api/splash/add,
    POST /api/undo/:id, POST /api/url/add, POST /api/urls/bulk, POST /api/urls/bulk/:id/cancel, POST /api/utm/add`,
  /** From editors on, and contributors what they created. */
  edit: `
    DELETE /api/bio/:bioid/message/:messageid/delete, DELETE /api/bio/:id/delete, POST /api/bio/:id/restore,
    PUT /api/bio/:id/update, GET /api/clicks/export, POST /api/campaign/:campaignid/assign/:linkid,
    POST /api/campaign/:campaignid/unassign/:linkid, DELETE /api/campaign/:id/delete, PUT /api/campaign/:id/order,
    POST /api/campaign/:id/restore, PUT /api/campaign/:id/statspage, PUT /api/campaign/:id/update,
    DELETE /api/case/:id/delete, PUT /api/case/:id/update, POST /api/channel/:channelid/assign/:type/:itemid,
    POST /api/channel/:channelid/unassign/:type/:itemid, DELETE /api/channel/:id/delete,
    POST /api/channel/:id/restore, PUT /api/channel/:id/update, DELETE /api/file/:id/delete,
    PUT /api/file/:id/update, DELETE /api/overlay/:id/delete, GET /api/overlay/:id/export,
    POST /api/overlay/:id/restore, PUT /api/overlay/:id/update, DELETE /api/pixel/:id/delete,
    POST /api/pixel/:id/restore, PUT /api/pixel/:id/update, DELETE /api/qr/:id/delete, POST /api/qr/:id/restore,
    PUT /api/qr/:id/update, DELETE /api/splash/:id/delete, POST /api/splash/:id/restore, PUT /api/splash/:id/update,
    POST /api/url/:id/case/add, GET /api/url/:id/clicks/export, DELETE /api/url/:id/delete,
    PUT /api/url/:id/statspage, PUT /api/url/:id/update, GET /api/urls/export, POST /api/urls/import, DELETE /api/utm/:id/delete, PUT /api/utm/:id/update`,
  /** From admins on. */
  manage: `
    PUT /api/account/aliases, POST /api/domain/:id/check, DELETE /api/domain/:id/delete,
    PUT /api/domain/:id/aliases, PUT /api/domain/:id/update, POST /api/domain/add, PUT /api/parameters,
    PUT /api/privacy, DELETE /api/visits/orphans/delete, DELETE /api/webhook/:id/delete,
    POST /api/webhook/:id/redeliver/:deliveryid, POST /api/webhook/:id/test, PUT /api/webhook/:id/update,
    POST /api/webhook/add`,
  /** The person's own, in whichever account they act; never by a key of a team. */
  person: `
    POST /api/account/2fa/disable, POST /api/account/2fa/enable, POST /api/account/2fa/recovery,
    POST /api/account/2fa/setup, POST /api/account/api/regenerate, GET /api/account/identities,
    POST /api/account/identity/add, POST /api/account/identity/start, DELETE /api/account/identity/:id/delete,
    GET /api/account/passkeys, POST /api/account/passkey/add, POST /api/account/passkey/options,
    DELETE /api/account/passkey/:id/delete, PUT /api/account/passkey/:id/update, POST /api/auth/browser/approve,
    POST /api/auth/logout, GET /api/auth/sessions, DELETE /api/auth/session/:id/delete`,
} as const;

/** The endpoints of one of these lists, as `GET /api/urls`. */
export const namesOf = (list: keyof typeof teamActions): string[] =>
  teamActions[list].split(',').map((name) => name.trim());
