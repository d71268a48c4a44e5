/** All known actions of the audit log, with icons. Unknown actions of newer servers are shown by their API name. */
const actionIcons = {
  'account.email': 'i-lucide-mail',
  'account.username': 'i-lucide-at-sign',
  'account.password': 'i-lucide-lock',
  'account.password_reset': 'i-lucide-lock',
  'account.mailerapikey': 'i-lucide-mail',
  'twofactor.enabled': 'i-lucide-shield-check',
  'twofactor.disabled': 'i-lucide-shield-off',
  'twofactor.recovery_codes': 'i-lucide-shield',
  'twofactor.recovery_used': 'i-lucide-shield-alert',
  'passkey.added': 'i-lucide-fingerprint',
  'passkey.deleted': 'i-lucide-fingerprint',
  'identity.added': 'i-lucide-building-2',
  'identity.deleted': 'i-lucide-building-2',
  'session.started': 'i-lucide-log-in',
  'session.approved': 'i-lucide-monitor-check',
  'session.ended': 'i-lucide-log-out',
  'session.refused': 'i-lucide-shield-x',
  'key.added': 'i-lucide-key-round',
  'key.updated': 'i-lucide-key-round',
  'key.deleted': 'i-lucide-key-round',
  'key.rotated': 'i-lucide-rotate-cw',
  'user.added': 'i-lucide-user-plus',
  'user.updated': 'i-lucide-user-pen',
  'user.deleted': 'i-lucide-user-minus',
  'user.registered': 'i-lucide-user-plus',
  'invitation.added': 'i-lucide-mail-plus',
  'invitation.deleted': 'i-lucide-mail-x',
  'plan.added': 'i-lucide-layers',
  'plan.updated': 'i-lucide-layers',
  'plan.deleted': 'i-lucide-layers',
  'team.added': 'i-lucide-users-round',
  'team.updated': 'i-lucide-users-round',
  'team.deleted': 'i-lucide-trash-2',
  'team.restored': 'i-lucide-undo-2',
  'team.transferred': 'i-lucide-crown',
  'team.admitted': 'i-lucide-shield-plus',
  'team.invited': 'i-lucide-ticket',
  'team.invitation_withdrawn': 'i-lucide-ticket',
  'member.joined': 'i-lucide-user-plus',
  'member.updated': 'i-lucide-user-cog',
  'member.removed': 'i-lucide-user-minus',
  'member.left': 'i-lucide-log-out',
  'settings.updated': 'i-lucide-settings',
  'privacy.updated': 'i-lucide-eye-off',
  'statspage.updated': 'i-lucide-chart-no-axes-column',
  'parameters.updated': 'i-lucide-list-plus',
  'places.uploaded': 'i-lucide-map-pin',
  'places.deleted': 'i-lucide-map-pin-off',
  'trash.trimmed': 'i-lucide-trash-2',
  'form.limited': 'i-lucide-inbox',
  'domain.lost': 'i-lucide-globe-lock',
  'backup.added': 'i-lucide-archive',
  'backup.uploaded': 'i-lucide-archive',
  'backup.downloaded': 'i-lucide-download',
  'backup.deleted': 'i-lucide-archive-x',
  'backup.passphrase': 'i-lucide-lock',
  'backup.restore_started': 'i-lucide-archive-restore',
} as const;

/** Icons of actions on records, by the second part of the action's name. */
const verbIcons: Readonly<Record<string, string>> = {
  created: 'i-lucide-plus',
  updated: 'i-lucide-pencil',
  changed: 'i-lucide-pencil',
  deleted: 'i-lucide-trash-2',
  restored: 'i-lucide-undo-2',
  undone: 'i-lucide-undo-2',
  imported: 'i-lucide-download',
  moved: 'i-lucide-folder-input',
};

/** The icon of an action. */
export function iconOf(action: string): string {
  if (isKnownAction(action)) return actionIcons[action];
  return verbIcons[action.split('.')[1] ?? ''] ?? 'i-lucide-circle-dot';
}

export type KnownAction = keyof typeof actionIcons;

export const knownActions = Object.keys(actionIcons) as KnownAction[];

function isKnownAction(action: string): action is KnownAction {
  return action in actionIcons;
}
