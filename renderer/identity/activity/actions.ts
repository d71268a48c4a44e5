/** Every action that the audit log knows, with its icon. Newer servers may have others; they show by their own name. */
export const actionIcons = {
  'account.email': 'i-lucide-mail',
  'account.username': 'i-lucide-at-sign',
  'account.password': 'i-lucide-lock',
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
  'settings.updated': 'i-lucide-settings',
  'form.limited': 'i-lucide-inbox',
  'domain.lost': 'i-lucide-globe-lock',
  'backup.added': 'i-lucide-archive',
  'backup.uploaded': 'i-lucide-archive',
  'backup.downloaded': 'i-lucide-download',
  'backup.deleted': 'i-lucide-archive-x',
  'backup.passphrase': 'i-lucide-lock',
  'backup.restore_started': 'i-lucide-archive-restore',
} as const;

export type KnownAction = keyof typeof actionIcons;

export const knownActions = Object.keys(actionIcons) as KnownAction[];

export function isKnownAction(action: string): action is KnownAction {
  return action in actionIcons;
}
