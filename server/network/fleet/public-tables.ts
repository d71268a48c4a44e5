/** A table that is partly replicated to edges. */
interface PublicTable {
  /** The columns that identify a row, in this order. */
  key: readonly string[];
  /** Columns that edges hold, those of the key included. */
  columns: readonly string[];
  /** Of these, the ones that hold bytes. */
  blobs?: readonly string[];
  /** Columns that stay at the origin. */
  hidden: readonly string[];
  /** SQL of what an edge writes into hidden columns that must hold something; it may name the public columns. */
  stand?: Readonly<Record<string, string>>;
  /** SQL condition for public rows, using public columns; all rows without it. */
  only?: string;
}

/** Settings that affect responses to visitors, and what is stored about them. */
export const publicSettings = ['baseUrl', 'privacy'] as const;

const marks = ['created_by', 'updated_by', 'version'] as const;

/**
 * The data on edges: everything needed for answering, and nothing more (T-51). An allow-list: a table or column that
 * is in neither list fails a test with its name.
 */
export const publicTables: Readonly<Record<string, PublicTable>> = {
  settings: {
    key: ['name'],
    columns: ['name', 'value'],
    hidden: [],
    only: `name IN (${publicSettings.map((name) => `'${name}'`).join(', ')})`,
  },
  plans: {
    key: ['id'],
    columns: ['id', 'free', 'permissions', 'limits', 'features'],
    hidden: ['name', 'version'],
    stand: { name: "'plan ' || id" },
  },
  users: {
    key: ['id'],
    columns: [
      ...['id', 'username', 'username_folded', 'name', 'active', 'plan_id', 'timezone', 'media', 'public'],
      ...['defaulttype', 'default_domain_id', 'avatar', 'removed_at', 'kind', 'trashed_at', 'language'],
      'privacy',
      'parameters',
    ],
    hidden: [
      ...['email', 'email_folded', 'password_hash', 'admin', 'verified', 'plan_expires_at', 'registered_at'],
      ...['perpage', 'newsletter', 'brokenlinks_email', 'address', 'totp_secret', 'totp_step', 'mailer_key'],
      ...['version', 'signin_email', 'domains_email', 'aliases'],
    ],
    stand: {
      email: "'account ' || id",
      email_folded: "'account ' || id",
      password_hash: "''",
      registered_at: '0',
    },
  },
  avatars: { key: ['user_id'], columns: ['user_id', 'type', 'body'], blobs: ['body'], hidden: [] },
  domains: {
    key: ['id'],
    columns: [
      ...['id', 'user_id', 'host', 'redirect_root', 'redirect_404', 'redirect_expired', 'redirect_early'],
      ...['active', 'bio_id', 'disabled', 'apps'],
    ],
    hidden: [
      'aliases',
      ...['created_at', 'dns_type', 'dns_status', 'resolved_ip', 'dns_checked_at', 'dns_failure_count'],
      ...['next_check_at', 'server_synced', 'ssl_status', 'certificate_expires_at', 'certificate_url'],
      ...['certificate_failure_count', 'next_certificate_at', 'removed_at', 'lapses_at'],
      ...['proof_failure_count', ...marks],
    ],
    stand: { created_at: '0' },
  },
  domain_pictures: {
    key: ['domain_id', 'kind'],
    columns: ['domain_id', 'kind', 'token', 'type', 'body'],
    blobs: ['body'],
    hidden: [],
  },
  campaigns: {
    key: ['id'],
    columns: ['id', 'user_id', 'name', 'name_folded', 'slug', 'public', 'domain_id', 'leaving'],
    hidden: ['views', 'created_at', 'turns', ...marks],
    stand: { created_at: '0' },
  },
  links: {
    key: ['id'],
    columns: [
      ...[
        'id',
        'user_id',
        'domain_id',
        'alias',
        'url',
        'title',
        'description',
        'type',
        'password_hash',
        'status',
      ],
      ...['expires_at', 'not_before_at', 'click_limit', 'expiration_url', 'redirect_status', 'forward_query'],
      ...['archive_at', 'delete_at', 'test_until', 'test_winner'],
      ...[
        'archived',
        'rules',
        'abtesting',
        'parameters',
        'deeplink',
        'meta_title',
        'meta_description',
        'meta_image',
      ],
      ...['pixels', 'campaign_id', 'campaign_weight', 'campaign_position', 'created_at', 'trashed_at'],
    ],
    hidden: [
      ...[
        'note',
        'locked',
        'updated_at',
        'clicks',
        'unique_clicks',
        'clicked_at',
        'limited_clicks',
        'search',
      ],
      ...marks,
    ],
    stand: { updated_at: '0', search: "''" },
  },
  link_framings: {
    key: ['link_id', 'address'],
    columns: ['link_id', 'address', 'verdict'],
    hidden: ['embedder', 'reason', 'checked_at', 'due_at'],
    stand: { embedder: "''", checked_at: '0', due_at: '0' },
  },
  aliases: {
    key: ['domain_id', 'alias'],
    columns: ['domain_id', 'alias', 'kind', 'target_id'],
    hidden: [],
  },
  files: {
    key: ['id'],
    columns: [
      ...['id', 'user_id', 'domain_id', 'alias', 'name', 'filename', 'storage', 'size', 'password_hash'],
      ...['expires_at', 'max_downloads', 'free_downloads', 'created_at'],
    ],
    hidden: ['search', 'downloads', 'limited_downloads', ...marks],
    stand: { search: "''" },
  },
  overlays: {
    key: ['id'],
    columns: ['id', 'user_id', 'type', 'position', 'colors', 'content', 'leaving', 'created_at'],
    hidden: ['name', 'limited_at', ...marks],
    stand: { name: "''" },
  },
  splash_pages: {
    key: ['id'],
    columns: ['id', 'user_id', 'title', 'message', 'product', 'avatar', 'banner', 'counter', 'leaving'],
    hidden: ['name', 'created_at', ...marks],
    stand: { name: "''", created_at: '0' },
  },
  page_pictures: {
    key: ['id'],
    columns: ['id', 'user_id', 'url', 'token', 'type', 'body', 'shown'],
    blobs: ['body'],
    hidden: ['uploaded_at'],
    only: 'shown = 1',
  },
  pixels: {
    key: ['id'],
    columns: ['id', 'user_id', 'type', 'tag', 'leaving'],
    hidden: ['name', 'created_at', ...marks],
    stand: { name: "''", created_at: '0' },
  },
  qr_codes: {
    key: ['id'],
    columns: [
      ...[
        'id',
        'user_id',
        'alias',
        'domain_id',
        'name',
        'type',
        'data',
        'link_id',
        'dynamic',
        'style',
        'logo_image',
      ],
      'revision',
      'leaving',
      'created_at',
    ],
    blobs: ['logo_image'],
    hidden: ['logo', 'search', 'scans', 'scanned_at', ...marks],
    stand: { search: "''" },
  },
  bio_pages: {
    key: ['id'],
    columns: [
      ...['id', 'user_id', 'domain_id', 'alias', 'name', 'title', 'description', 'avatar', 'theme', 'colors'],
      ...['shape', 'font', 'blocks', 'leaving', 'created_at'],
    ],
    hidden: ['next_block', 'search', 'views', 'unique_views', 'clicks', 'limited_at', ...marks],
    stand: { search: "''" },
  },
};

/** Tables that stay at the origin as a whole. */
export const privateTables: readonly string[] = [
  ...['audit', 'bio_block_clicks', 'bio_counts', 'bio_messages', 'bulk_jobs', 'bulk_rest'],
  'campaign_counts',
  ...['certificate_orders', 'changed_links', 'changes', 'channel_counts', 'channel_items', 'channels'],
  ...[
    'click_counts',
    'click_hours',
    'click_marks',
    'clicks',
    'clock',
    'code_rows',
    'domain_log',
    'domain_plans',
    'domain_proof_key',
  ],
  ...[
    'failures',
    'fleet_branches',
    'fleet_changes',
    'fleet_edges',
    'fleet_entries',
    'fleet_epochs',
    'fleet_intake',
    'fleet_replica',
  ],
  ...[
    'fleet_sources',
    'forgotten_clicks',
    'gone_links',
    'idempotent_counts',
    'idempotent_replies',
    'identities',
    'import_tokens',
    'invitation_bars',
    'invitations',
    'keys',
  ],
  ...[
    'known_networks',
    'link_cases',
    'link_channels',
    'link_clicks',
    'link_counts',
    'link_health',
    'link_health_mails',
    'mail_counts',
    'members',
  ],
  ...['moved_records', 'moves', 'moving_figures', 'moving_hours', 'orphan_visits', 'outbox'],
  ...[
    'overlay_answers',
    'overlay_past_votes',
    'page_picture_uses',
    'passkeys',
    'password_resets',
    'qr_scans',
  ],
  'recovery_codes',
  'redirect_changes',
  ...[
    'removals',
    'rollup_position',
    'rollups',
    'stats_pages',
    'stored_bytes',
    'team_invitations',
    'trash_parts',
  ],
  ...[
    'untold_domains',
    'utm_templates',
    'visitor_salt',
    'visitors',
    'webhook_counts',
    'webhook_deliveries',
    'webhook_events',
    'webhooks',
    'words',
  ],
];

/** The public table with an untrusted name. Throws if there is none. */
export function publicTable(name: string): PublicTable {
  const table = Object.hasOwn(publicTables, name) ? publicTables[name] : undefined;
  if (!table) throw new Error(`${name} is no table of which edges hold a part`);
  return table;
}

/** Names of the columns that an edge writes, and SQL of their values from a row of `source` with the public ones. */
export function writtenColumns({ columns, stand = {} }: PublicTable): { names: string[]; values: string[] } {
  return {
    names: [...columns, ...Object.keys(stand)],
    values: [...columns, ...Object.values(stand)],
  };
}
