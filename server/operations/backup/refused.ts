/** Why a backup cannot be made, read or restored. `code` is stable, the message is for people. */
export class BackupRefused extends Error {
  readonly code:
    | 'not_a_backup'
    | 'backup_damaged'
    | 'backup_newer'
    | 'database_damaged'
    | 'passphrase_required'
    | 'passphrase_wrong'
    | 'disk_full'
    | 'folder_unusable';

  constructor(code: BackupRefused['code'], message: string) {
    super(message);
    this.name = 'BackupRefused';
    this.code = code;
  }
}
