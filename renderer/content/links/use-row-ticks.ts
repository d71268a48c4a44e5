import type { LinkSelection } from './link-selection.ts';
import type { LinkList } from './use-link-list.ts';

/** The header checkbox first selects this many rows, then all. */
const handful = 50;

/** Selects rows of the list by their places in it; rows that are not loaded yet are loaded first. */
export function useRowTicks(list: LinkList, selection: LinkSelection) {
  /** Selects or deselects a row, or all rows from the last one that was selected to this one. */
  async function tick(index: number, isRange: boolean): Promise<void> {
    const link = list.rows.value[index];
    if (!link) return;
    const from = selection.anchor.value;
    if (!isRange || from === undefined) return selection.toggle(link.id, index);
    const [first, last] = [Math.min(from, index), Math.max(from, index)];
    await list.ensure(first, last);
    selection.set(idsBetween(first, last + 1), true);
  }

  /** Cycles the selection: the first rows, then all matches, then none. */
  async function tickMany(): Promise<void> {
    if (selection.isAll.value) return selection.clear();
    if (!selection.isEmpty.value) return selection.selectAll();
    // One by one even if they are all: links that are named can be moved to another account, "all" cannot.
    await list.ensure(0, Math.min(handful, list.total.value ?? handful) - 1);
    selection.set(idsBetween(0, handful), true);
  }

  /** Selects all rows from where the keyboard range started to `index`. */
  async function extend(from: number, index: number): Promise<void> {
    const link = list.rows.value[from];
    if (selection.anchor.value === undefined && link && !selection.has(link.id)) await tick(from, false);
    await tick(index, true);
  }

  function idsBetween(first: number, end: number): number[] {
    return list.rows.value.slice(first, end).flatMap((row) => row?.id ?? []);
  }

  return { tick, tickMany, extend };
}
