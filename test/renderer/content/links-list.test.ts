import { describe, expect, it } from 'vitest';
import { nextOrder } from '../../../renderer/content/links/columns.ts';
import { describeChange, type HistoryLabels } from '../../../renderer/content/links/history-labels.ts';
import { linkSelection } from '../../../renderer/content/links/link-selection.ts';
import {
  filterOfView,
  isFiltered,
  queryOfView,
  viewOfQuery,
} from '../../../renderer/content/links/link-view.ts';

describe('the view of the list', () => {
  it('survives a round trip through the page’s URL', () => {
    const view = {
      q: 'spring',
      status: 'expired',
      channel: 7,
      domain: 'go.example.com',
      order: 'clicks_desc',
    } as const;
    expect(viewOfQuery(queryOfView(view, 'date_desc'), 'date_desc')).toEqual(view);
  });

  it('has no query if nothing is filtered', () => {
    expect(queryOfView({ q: '', order: 'date_desc' }, 'date_desc')).toEqual({});
  });

  it('drops unknown filters', () => {
    const view = viewOfQuery({ status: 'nonsense', channel: '-1', order: 'x', q: ['a', 'b'] }, 'date_desc');
    expect(view).toEqual({ q: '', status: undefined, channel: undefined, order: 'date_desc' });
  });

  it('does not search for one character, which the server refuses', () => {
    expect(filterOfView({ q: ' a ', order: 'date_desc' })).toEqual({});
    expect(filterOfView({ q: '🐙🐙', order: 'date_desc' })).toEqual({ q: '🐙🐙' });
    expect(isFiltered({ q: 'a', order: 'date_desc' })).toBe(false);
  });

  it('sorts in the useful direction first, then in the other', () => {
    expect(nextOrder('date_desc', 'clicks')).toBe('clicks_desc');
    expect(nextOrder('clicks_desc', 'clicks')).toBe('clicks_asc');
    expect(nextOrder('date_desc', 'name')).toBe('name_asc');
  });
});

describe('the selection', () => {
  it('counts everything that the filter matches, and remembers what was deselected', () => {
    const selection = linkSelection(() => 1000);
    selection.selectAll();
    expect(selection.count.value).toBe(1000);
    expect(selection.isAll.value).toBe(true);
    selection.toggle(7, 3);
    expect(selection.count.value).toBe(999);
    expect(selection.has(7)).toBe(false);
    expect(selection.has(8)).toBe(true);
    expect(selection.isAll.value).toBe(false);
    selection.toggle(7, 3);
    expect(selection.isAll.value).toBe(true);
  });

  it('selects single links and ranges, and clears them', () => {
    const selection = linkSelection(() => 10);
    selection.toggle(1, 0);
    selection.set([2, 3], true);
    selection.toggle(2, 1);
    expect([1, 2, 3].map(selection.has)).toEqual([true, false, true]);
    selection.clear();
    expect(selection.isEmpty.value).toBe(true);
  });
});

describe('the description of a change', () => {
  const words: HistoryLabels = {
    t: (key, named) => [key, ...Object.values(named ?? {})].join(' '),
    te: (key) => key.endsWith('.title') || key.endsWith('.channel') || key.endsWith('.rules'),
    timestamp: (text) => `at ${text}`,
    channel: (id) => `channel ${id}`,
    list: (texts) => texts.join(', '),
  };

  it('says what was there before and what is there now', () => {
    const [line] = describeChange({ before: { title: null }, after: { title: 'New' } }, words);
    expect(line).toEqual({
      field: 'title',
      label: 'links.history.fields.title',
      detail: 'links.history.fromTo links.history.nothing New',
    });
  });

  it('has a sentence for switches', () => {
    const [line] = describeChange({ before: { state: 'active' }, after: { state: 'trashed' } }, words);
    expect(line?.label).toBe('links.history.sentences.deleted');
  });

  it('names channels, and does not print lists of rules', () => {
    const lines = describeChange(
      { before: { channel: [1], rules: [] }, after: { channel: [1, 2], rules: [{ link: 'x' }] } },
      words,
    );
    expect(lines[0]?.detail).toContain('channel 1, channel 2');
    expect(lines[1]?.detail).toContain('links.history.changedField');
  });
});
