import type { DropdownMenuItem } from '@nuxt/ui';
import type { Action } from '../../server/contract/roles.ts';

/** An entry of a record's menu. `action` is what a role must allow for it to be offered; what is red edits anyway. */
export type RecordMenuItem = DropdownMenuItem & { action?: Action };

/** The entries that are allowed; groups that have none left are dropped. */
export function allowedEntries(
  menu: readonly (readonly RecordMenuItem[])[],
  allows: (action: Action) => boolean,
  /** What a red entry needs that says nothing itself. */
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
