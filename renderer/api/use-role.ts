import { computed } from 'vue';
import type { Marks } from '../../server/contract/marks.ts';
import { type Action, authoredResources, powers, type Role, reaches } from '../../server/contract/roles.ts';
import { useInstanceStore } from './instance.ts';

/** A record as far as it says who created it and who changed it last. */
export type Authored = Pick<Marks, 'created_by' | 'updated_by'>;

/**
 * What the person may do in the account that acts, by the server's own table. In a personal account that is everything.
 */
export function useRole() {
  const store = useInstanceStore();
  const member = computed(() => store.account?.member);
  const role = computed<Role>(() => member.value?.role ?? 'owner');

  /** Whether a role allows an action, at least with what the person created themselves. */
  function may(action: Action): boolean {
    return powers[role.value][action] !== false;
  }

  /** Whether it allows the action with everything in the account. */
  function mayAll(action: Action): boolean {
    return powers[role.value][action] === true;
  }

  /** Whether it allows editing and deleting this record. */
  function mayEdit({ created_by: creator }: Authored): boolean {
    return reaches(powers[role.value].edit, () => creator?.id === member.value?.id);
  }

  /** Whether it allows changing a record of this resource; what is not a record of the account is nobody's alone. */
  function mayChange(resource: string, record: Authored): boolean {
    if (!authoredResources.some((known) => known === resource)) return true;
    return resource === 'domains' || resource === 'webhooks' ? mayAll('manage') : mayEdit(record);
  }

  /** Whether it allows a new record of this resource. */
  function mayAdd(resource: string): boolean {
    if (!authoredResources.some((known) => known === resource)) return true;
    return mayAll(resource === 'domains' || resource === 'webhooks' ? 'manage' : 'create');
  }

  return {
    role,
    /** Whether a team acts, and not the person's own account. */
    isTeam: computed(() => member.value !== undefined && member.value.id !== store.account?.id),
    /** The person who is signed in, by their name. */
    person: computed(() => member.value?.name || store.account?.name || store.account?.username || ''),
    /** Whether that person administrates the instance, also while a team acts. */
    isAdministrator: computed(() => member.value?.admin ?? store.account?.admin === true),
    /** The id of the person who is signed in. */
    self: computed(() => member.value?.id ?? store.account?.id),
    may,
    mayAll,
    mayAdd,
    mayEdit,
    mayChange,
  };
}
