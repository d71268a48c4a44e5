import { describe, expect, test } from 'vitest';
import {
  type BioDraft,
  blockFields,
  blockName,
  blockWords,
  changeOf,
  draftOf,
  draftOfFields,
  duplicateOf,
  fieldsOf,
  isSameDraft,
  mergedOrder,
  newBlock,
  previewOf,
  sentBlocks,
} from '../../../renderer/content/bio/bio-draft.ts';
import { editedFields, mergedFields } from '../../../renderer/ui/merge-edits.ts';
import { type BioDetails, bioChange, previewBio } from '../../../server/contract/bio.ts';
import { bioBlockFields, bioBlockTypes } from '../../../server/contract/bio-blocks.ts';

const page: BioDetails = {
  id: 7,
  limitreached: null,
  name: 'Anna',
  title: 'Anna Berg',
  alias: 'anna',
  link: 'https://short.example/anna',
  domain: 'https://short.example',
  picture: null,
  views: 3,
  uniqueviews: 2,
  clicks: 1,
  date: '2027-01-15 12:00:00',
  description: null,
  avatar: null,
  theme: 'ocean',
  colors: { text: '#FFFFFF' },
  shape: null,
  font: 'mono',
  frontof: [],
  blocks: [
    {
      id: 4,
      type: 'link',
      enabled: true,
      clicks: 1,
      title: 'Shop',
      url: 'https://example.com/',
      description: null,
      image: null,
      link: null,
    },
    {
      id: 2,
      type: 'socials',
      enabled: false,
      clicks: 0,
      items: [{ network: 'email', url: 'mailto:a@example.com' }],
    },
    { id: 9, type: 'file', enabled: true, clicks: 0, file: 3, title: null },
    { id: 5, type: 'hologram', enabled: true, clicks: 0 },
  ],
};

describe('the draft of a bio page', () => {
  test('says what is stored, in the fields of the form', () => {
    const draft = draftOf(page, 'short.example');
    expect(draft).toMatchObject({
      name: 'Anna',
      domain: '',
      title: 'Anna Berg',
      description: '',
      colors: { background: '', text: '#FFFFFF', button: '', buttontext: '' },
      shape: '',
      font: 'mono',
    });
    expect(draft.blocks.map(({ key, id, type, enabled }) => [key, id, type, enabled])).toEqual([
      ['block-4', 4, 'link', true],
      ['block-2', 2, 'socials', false],
      ['block-9', 9, 'file', true],
    ]);
    expect(draft.blocks[1]?.items).toEqual([{ network: 'email', url: 'a@example.com' }]);
    expect(draftOf({ ...page, domain: 'https://anna.example' }, 'short.example').domain).toBe('anna.example');
  });

  test('is sent in the words of the contract', () => {
    const change = changeOf(draftOf(page, 'short.example'));
    expect(bioChange.safeParse(change).success).toBe(true);
    expect(change).toMatchObject({
      name: 'Anna',
      alias: 'anna',
      domain: null,
      description: null,
      colors: { text: '#FFFFFF' },
      shape: null,
      font: 'mono',
    });
    expect(change.blocks?.[0]).toEqual({
      id: 4,
      type: 'link',
      enabled: true,
      title: 'Shop',
      url: 'https://example.com/',
      description: null,
      image: null,
      highlight: false,
      share: false,
    });
    expect(change.blocks?.[2]).toEqual({
      id: 9,
      type: 'file',
      enabled: true,
      title: null,
      file: 3,
      share: false,
    });
  });

  test('is not a change as long as only clicks were counted', () => {
    const draft = draftOf(page, 'short.example');
    const later = draftOf(
      { ...page, blocks: page.blocks.map((block) => ({ ...block, clicks: 99 })) },
      'short.example',
    );
    expect(isSameDraft(draft, later)).toBe(true);
    later.blocks.reverse();
    expect(isSameDraft(draft, later)).toBe(false);
  });

  test('is previewed although nothing in it is complete', () => {
    const draft = draftOf(page, 'short.example');
    draft.blocks = bioBlockTypes.map((type) => newBlock(type));
    const body = previewOf(draft, 2);
    expect(previewBio.body.safeParse(body).success).toBe(true);
    expect(body.focus).toBe(2);
  });
});

describe('a block', () => {
  test.each(bioBlockTypes)('of type %s sends the fields of its type and no others', (type) => {
    const [sent = {}] = sentBlocks([newBlock(type, { file: 1 })]);
    const known = ['type', 'enabled', ...Object.keys(bioBlockFields[type].shape)];
    expect(Object.keys(sent).sort()).toEqual(known.sort());
    expect(blockFields[type].every((name) => name in bioBlockFields[type].shape)).toBe(true);
  });

  test('is copied as a new one that shares nothing', () => {
    const block = newBlock('socials', { id: 3, clicks: 8 });
    const copy = duplicateOf(block);
    expect(copy).toMatchObject({ type: 'socials', id: undefined, clicks: 0 });
    expect(copy.key).not.toBe(block.key);
    (copy.items[0] as { url: string }).url = 'https://instagram.com/x';
    expect(block.items[0]?.url).toBe('');
  });

  test('is called by its own words', () => {
    expect(blockName(newBlock('text', { text: 'First line\nSecond' }))).toBe('First line');
    expect(blockName(newBlock('vcard', { name: 'Anna' }))).toBe('Anna');
    expect(blockName(newBlock('image', { alt: 'A hill' }))).toBe('A hill');
    expect(blockName(newBlock('link', { title: 'Shop' }))).toBe('Shop');
    expect(blockName(newBlock('divider'))).toBe('');
  });
});

describe('two people at the blocks of one page', () => {
  /** A draft of these blocks; `b` is stored, `+b` was put in by somebody. */
  const draftWith = (...titles: string[]): BioDraft => ({
    ...draftOf(page, 'short.example'),
    blocks: titles.map((title) => {
      const [key = ''] = title.split(':');
      const isNew = key.startsWith('+');
      return { ...newBlock('link', { title }), key: isNew ? `new-${key.slice(1)}` : `block-${key}` };
    }),
  });
  function merge(was: BioDraft, theirs: BioDraft, mine: BioDraft) {
    const [one, two, own] = [fieldsOf(was), fieldsOf(theirs), fieldsOf(mine)];
    const order = mergedOrder(one.order, two.order, own.order);
    const fields = editedFields(one, { ...two, order }, { ...own, order });
    return {
      titles: draftOfFields(mergedFields({ ...own, order }, fields)).blocks.map(({ title }) => title),
      asked: fields.filter(({ taken }) => taken === undefined).map(({ name }) => name),
    };
  }
  const was = draftWith('1', '2', '3');

  test('keep what each did to a block of their own, put in, moved and removed', () => {
    expect(merge(was, draftWith('1:theirs', '2', '3'), draftWith('1', '2:mine', '3'))).toEqual({
      titles: ['1:theirs', '2:mine', '3'],
      asked: [],
    });
    expect(merge(was, draftWith('1', '+4', '2', '3'), draftWith('1', '2', '3', '+5')).titles).toEqual([
      '1',
      '+4',
      '2',
      '3',
      '+5',
    ]);
    expect(merge(was, draftWith('1', '2', '3', '+4'), draftWith('3', '1', '2')).titles).toEqual([
      '3',
      '+4',
      '1',
      '2',
    ]);
    expect(merge(was, draftWith('3', '2', '1'), draftWith('+4', '1', '2', '3')).titles).toEqual([
      '+4',
      '3',
      '2',
      '1',
    ]);
    expect(merge(was, draftWith('1', '3'), draftWith('1:mine', '2', '3'))).toEqual({
      titles: ['1:mine', '3'],
      asked: [],
    });
  });

  test('are asked about a block that both changed, or that one changed and the other removed', () => {
    expect(merge(was, draftWith('1:theirs', '2', '3'), draftWith('1:mine', '2', '3')).asked).toEqual([
      'block-1',
    ]);
    expect(merge(was, draftWith('2', '3'), draftWith('1:mine', '2', '3'))).toEqual({
      titles: ['1:mine', '2', '3'],
      asked: ['block-1'],
    });
    expect(merge(was, draftWith('1:theirs', '2', '3'), draftWith('2', '3')).asked).toEqual(['block-1']);
  });

  test('see the words of each', () => {
    expect(blockWords(newBlock('link', { title: 'Shop', url: 'https://example.com' }))).toBe(
      'Shop · https://example.com',
    );
    expect(draftOfFields(fieldsOf(was))).toEqual(was);
  });
});
