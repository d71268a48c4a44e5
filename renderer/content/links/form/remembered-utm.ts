import { type Utm, type UtmField, utmFields } from '../../../../server/contract/utm-address.ts';
import { useInstanceStorage } from '../../../api/instance.ts';

/** Number of remembered values per parameter. */
const kept = 12;

type Remembered = Record<UtmField, string[]> & { last?: Utm };

/** UTM parameters recently used on this instance: suggested while typing, and the last set offered with one click. */
export function useRememberedUtm() {
  const remembered = useInstanceStorage<Remembered>('links.utm', {
    source: [],
    medium: [],
    campaign: [],
    term: [],
    content: [],
  });
  return {
    remembered,
    /** Called after a link was saved. */
    remember(utm: Utm): void {
      if (utmFields.every((field) => utm[field] === '')) return;
      const lists = utmFields.map((field): [UtmField, string[]] => {
        const before = remembered.value[field] ?? [];
        const value = utm[field];
        return [
          field,
          value === '' ? before : [value, ...before.filter((other) => other !== value)].slice(0, kept),
        ];
      });
      remembered.value = { ...(Object.fromEntries(lists) as Record<UtmField, string[]>), last: utm };
    },
  };
}
