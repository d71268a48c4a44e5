import type { DropdownMenuItem } from '@nuxt/ui';
import type { Action } from '../../server/contract/roles.ts';

/** A menu item of a record. `action` is the permission it requires; red items require `edit` by default. */
export type RecordMenuItem = DropdownMenuItem & { action?: Action };

/** The items the user may use; empty groups are dropped. */
export function allowedEntries(
  menu: readonly (readonly RecordMenuItem[])[],
  allows: (action: Action) => boolean,
  /** The permission that red items require if they have no `action`. */
  removal: Action = 'edit',
): DropdownMenuItem[][] {
  return menu
    .map((group) =>
      group.filter(({ action, color }) => {
        const asked = action ?? (color === 'error' ? removal : undefined);
        return asked === undefined || allows(asked);
      }),
    )
    .filter(({ length }) => length > 0);
}
