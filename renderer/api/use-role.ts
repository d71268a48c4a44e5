import { computed } from 'vue';
import type { EditInfo } from '../../server/contract/edit-info.ts';
import { type Action, authoredResources, powers, type Role, reaches } from '../../server/contract/roles.ts';
import { useInstanceStore } from './instance.ts';

/** The creator and last editor of a record. */
export type Authored = Pick<EditInfo, 'created_by' | 'updated_by'>;

/**
 * What the user may do in the active account, by the server's own table of permissions. In a personal account,
 * everything.
 */
export function useRole() {
  const store = useInstanceStore();
  const member = computed(() => store.account?.member);
  const role = computed<Role>(() => member.value?.role ?? 'owner');

  /** Whether the role permits an action, at least on the user's own records. */
  function may(action: Action): boolean {
    return powers[role.value][action] !== false;
  }

  /** Whether the role permits an action on all records of the account. */
  function mayAll(action: Action): boolean {
    return powers[role.value][action] === true;
  }

  /** Whether the role permits editing and deleting a record. */
  function mayEdit({ created_by: creator }: Authored): boolean {
    return reaches(powers[role.value].edit, () => creator?.id === member.value?.id);
  }

  /** Whether the role permits changing a record of a resource; always true for resources without owners. */
  function mayChange(resource: string, record: Authored): boolean {
    if (!authoredResources.some((known) => known === resource)) return true;
    return resource === 'domains' || resource === 'webhooks' ? mayAll('manage') : mayEdit(record);
  }

  /** Whether the role permits creating a record of a resource. */
  function mayAdd(resource: string): boolean {
    if (!authoredResources.some((known) => known === resource)) return true;
    return mayAll(resource === 'domains' || resource === 'webhooks' ? 'manage' : 'create');
  }

  return {
    role,
    /** Whether a team is active, as opposed to the personal account. */
    isTeam: computed(() => member.value !== undefined && member.value.id !== store.account?.id),
    /** Name of the signed-in user. */
    person: computed(() => member.value?.name || store.account?.name || store.account?.username || ''),
    /** Whether the user is an administrator of the instance, even while a team is active. */
    isAdministrator: computed(() => member.value?.admin ?? store.account?.admin === true),
    /** Id of the signed-in user. */
    self: computed(() => member.value?.id ?? store.account?.id),
    may,
    mayAll,
    mayAdd,
    mayEdit,
    mayChange,
  };
}
