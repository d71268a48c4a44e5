import type { AuthoredResource } from '../../contract/roles.ts';
import type { EditedResource } from '../../contract/versions.ts';

/** Where records are stored, and which of their columns are user content. */
export interface EditedTable {
  table: string;
  /** The columns that identify a record, in the order of the path's parameters. */
  key: readonly string[];
  /** The columns that users edit; counters and values determined by jobs are not included. */
  edited: readonly string[];
  /** Which of its rows can be edited; all by default. */
  only?: string;
  /** Tables with child rows that users edit, each with its foreign key column. */
  parts?: readonly { table: string; owner: string; edited?: string }[];
}

/** The user content of a link. */
export const editedLinkColumns = [
  'alias',
  'domain_id',
  'url',
  'title',
  'description',
  'note',
  'type',
  'password_hash',
  'status',
  'expires_at',
  'not_before_at',
  'click_limit',
  'expiration_url',
  'redirect_status',
  'forward_query',
  'archived',
  'locked',
  'rules',
  'abtesting',
  'parameters',
  'deeplink',
  'meta_title',
  'meta_description',
  'meta_image',
  'pixels',
  'campaign_id',
  'archive_at',
  'delete_at',
  'test_until',
  'test_winner',
  'trashed_at',
] as const;

/** Records of an account that have an author. */
export const authoredTables: Readonly<Record<AuthoredResource, EditedTable>> = {
  links: {
    table: 'links',
    key: ['id'],
    edited: editedLinkColumns,
    parts: [{ table: 'link_channels', owner: 'link_id' }],
  },
  campaigns: { table: 'campaigns', key: ['id'], edited: ['name', 'slug', 'public', 'domain_id'] },
  channels: { table: 'channels', key: ['id'], edited: ['name', 'description', 'color', 'starred'] },
  pixels: { table: 'pixels', key: ['id'], edited: ['name', 'tag'] },
  overlays: { table: 'overlays', key: ['id'], edited: ['type', 'name', 'position', 'colors', 'content'] },
  splash: {
    table: 'splash_pages',
    key: ['id'],
    edited: ['name', 'title', 'message', 'product', 'avatar', 'banner', 'counter'],
  },
  qr: {
    table: 'qr_codes',
    key: ['id'],
    edited: ['alias', 'domain_id', 'name', 'type', 'data', 'link_id', 'dynamic', 'style', 'logo'],
  },
  bio: {
    table: 'bio_pages',
    key: ['id'],
    edited: [
      'domain_id',
      'alias',
      'name',
      'title',
      'description',
      'avatar',
      'theme',
      'colors',
      'shape',
      'font',
      'blocks',
    ],
  },
  files: {
    table: 'files',
    key: ['id'],
    edited: ['domain_id', 'alias', 'name', 'filename', 'password_hash', 'expires_at', 'max_downloads'],
  },
  domains: {
    table: 'domains',
    key: ['id'],
    edited: [
      'redirect_root',
      'redirect_404',
      'redirect_expired',
      'redirect_early',
      'bio_id',
      'disabled',
      'apps',
    ],
    parts: [
      { table: 'domain_pictures', owner: 'domain_id', edited: 'token' },
      { table: 'domain_plans', owner: 'domain_id' },
    ],
  },
  webhooks: { table: 'webhooks', key: ['id'], edited: ['url', 'events', 'secret', 'enabled'] },
};

/** Other tables that are edited but have no author. */
export const otherTables: Readonly<Record<Exclude<EditedResource, AuthoredResource>, EditedTable>> = {
  cases: { table: 'link_cases', key: ['id'], edited: ['name', 'visitor', 'expected'] },
  keys: {
    table: 'keys',
    key: ['id'],
    edited: ['name', 'scopes', 'ratelimit', 'expires_at'],
    // A session's expiry moves on with each use.
    only: `new.kind <> 'session'`,
  },
  passkeys: { table: 'passkeys', key: ['id'], edited: ['name'] },
  plans: { table: 'plans', key: ['id'], edited: ['name', 'free', 'permissions', 'limits', 'features'] },
  utms: {
    table: 'utm_templates',
    key: ['id'],
    edited: ['name', 'source', 'medium', 'campaign', 'term', 'content'],
  },
  members: { table: 'members', key: ['team_id', 'person_id'], edited: ['role', 'own_only'] },
  accounts: {
    table: 'users',
    key: ['id'],
    edited: [
      'email',
      'username',
      'name',
      'password_hash',
      'admin',
      'active',
      'verified',
      'plan_id',
      'plan_expires_at',
      'timezone',
      'language',
      'perpage',
      'newsletter',
      'brokenlinks_email',
      'media',
      'public',
      'defaulttype',
      'default_domain_id',
      'avatar',
      'address',
      'mailer_key',
      'totp_secret',
    ],
  },
};
