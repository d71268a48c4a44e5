import type { ImportService } from '../../content/links/import.ts';
import type { KeyChoice } from '../../identity/keys/service.ts';
import type { TeamService } from '../../identity/teams/service.ts';
import type { UserAdminService } from '../../identity/users/admin-service.ts';
import type { Actor } from '../../platform/audit/actor.ts';

/** Services that work without a request. */
export interface Services {
  userAdmin: UserAdminService;
  imports: ImportService;
  /** Makes an API key and returns its secret. */
  addKey(userId: number, choice: KeyChoice, actor: Actor): { id: number; secret: string };
  /** Revokes an API key of anybody; false when there is none with this id. Throws 400 for a primary one. */
  revokeKey(id: number, actor: Actor): boolean;
  teams: Pick<TeamService, 'found' | 'setMember' | 'dropMember'>;
  /** Turns sign-in by passwords on; false where it was. */
  allowPasswords(actor: Actor): boolean;
}
