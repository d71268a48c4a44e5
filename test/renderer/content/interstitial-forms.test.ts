import { describe, expect, it } from 'vitest';
import { bodyOf, emptyForm } from '../../../renderer/content/links/form/link-form-state.ts';
import {
  checkOverlay,
  draftOf,
  emptyOverlayForm,
  formOfOverlay,
  mostAnswers,
  overlayOf,
  palettes,
} from '../../../renderer/content/overlays/overlay-form.ts';
import { pollResults } from '../../../renderer/content/overlays/poll-results.ts';
import {
  checkSplash,
  emptySplashForm,
  formOfSplash,
  draftOf as splashDraftOf,
  splashOf,
} from '../../../renderer/content/splash/splash-form.ts';
import { contrastOf, leastContrast } from '../../../server/contract/contrast.ts';
import { newOverlay, overlayDraft, overlayTypes } from '../../../server/contract/overlays.ts';
import { newSplash, previewSplash } from '../../../server/contract/splash.ts';

const examples = {
  text: 'An example',
  label: 'More',
  title: 'Title',
  button: 'Go',
  email: 'name@example.com',
  question: 'Which?',
  code: 'CODE',
  answers: ['First', 'Second'],
};
const say = { required: 'required', address: 'address', email: 'email', answers: 'answers', twice: 'twice' };

function form(part: Partial<ReturnType<typeof emptyOverlayForm>>, content: object = {}) {
  const empty = emptyOverlayForm();
  return { ...empty, name: 'Name', ...part, content: { ...empty.content, ...content } };
}
const answers = (...texts: string[]) => texts.map((text, id) => ({ id, text }));
const filled = {
  text: ' Hello ',
  link: 'example.com/more',
  title: 'Write',
  button: 'Go',
  email: 'me@example.com',
  question: 'Tea?',
  answers: answers('Yes', '', 'No'),
  code: 'TEN',
  image: 'https://img.example.com/a.png',
};

describe('the form of an overlay', () => {
  it.each(overlayTypes)('of type %s shows a preview immediately', (type) => {
    const draft = draftOf(form({ type, name: '' }), examples);
    expect(overlayDraft.safeParse(draft).success).toBe(true);
  });

  it.each(overlayTypes)('of type %s sends what the contract accepts, and can be reopened with it', (type) => {
    const body = overlayOf(form({ type }, filled));
    expect(newOverlay.safeParse(body).success).toBe(true);
    expect(checkOverlay(form({ type }, filled), say)).toEqual([]);
    const details = {
      ...body,
      id: 1,
      date: '2027-01-15 12:00:00',
      position: 'top' as const,
      colors: emptyOverlayForm().colors,
      limitreached: null,
    };
    expect(overlayOf(formOfOverlay(details)).content).toEqual(body.content);
  });

  it.each(overlayTypes)('of type %s reports missing fields', (type) => {
    const names = checkOverlay(form({ type, name: ' ' }), say).map((problem) => problem.name);
    expect(names[0]).toBe('name');
    expect(names.length).toBeGreaterThan(1);
  });

  it('completes URLs, and omits those still being typed', () => {
    const message = form({ type: 'message' }, { text: 'x', link: 'example.com' });
    expect(overlayOf(message).content).toMatchObject({ link: 'https://example.com/' });
    expect(
      draftOf(form({ type: 'message' }, { text: 'x', link: 'https://' }), examples).content,
    ).toMatchObject({ link: null });
    expect(checkOverlay(form({ type: 'message' }, { text: 'x', link: 'javascript:alert(1)' }), say)).toEqual([
      { name: 'content.link', message: 'address' },
    ]);
  });

  it('drops empty answers, reports duplicates, and requires two', () => {
    const poll = (...texts: string[]) =>
      form({ type: 'poll' }, { question: 'x', answers: answers(...texts) });
    expect(overlayOf(poll('A', ' ', 'B')).content).toMatchObject({ answers: ['A', 'B'] });
    expect(checkOverlay(poll('A', 'B', ' A '), say)).toEqual([
      { name: 'content.answers.2', message: 'twice' },
    ]);
    expect(checkOverlay(poll('A', ''), say)).toEqual([{ name: 'content.answers', message: 'answers' }]);
    expect(draftOf(poll('First', ''), examples).content).toMatchObject({ answers: ['First', 'Second'] });
    expect(draftOf(poll('A', 'A', 'B'), examples).content).toMatchObject({ answers: ['A', 'B'] });
    expect(mostAnswers).toBe(10);
  });

  it('keeps the input when the type changes', () => {
    const coupon = form({ type: 'coupon' }, filled);
    expect(overlayOf({ ...coupon, type: 'message' }).content).toMatchObject({ text: 'Hello' });
  });

  it('offers readable palettes', () => {
    for (const { name, colors } of palettes) {
      expect([name, contrastOf(colors.text, colors.background) >= leastContrast]).toEqual([name, true]);
      expect([name, contrastOf(colors.buttontext, colors.button) >= leastContrast]).toEqual([name, true]);
    }
  });
});

describe('the results of a poll', () => {
  it('list every option in order, then removed ones', () => {
    const sent = [
      { value: 'Gone', count: 1, date: '2027-01-15 12:00:00' },
      { value: 'B', count: 3, date: '2027-01-15 12:00:00' },
    ];
    expect(
      pollResults(['A', 'B'], sent).map(({ text, votes, share, isOffered }) => [
        text,
        votes,
        share,
        isOffered,
      ]),
    ).toEqual([
      ['A', 0, 0, true],
      ['B', 3, 0.75, true],
      ['Gone', 1, 0.25, false],
    ]);
    expect(pollResults(['A'], [])).toMatchObject([{ votes: 0, share: 0, date: null }]);
  });
});

describe('the form of a splash page', () => {
  it('sends what the contract accepts, and clears empty fields', () => {
    expect(
      newSplash.parse(splashOf({ ...emptySplashForm(), name: ' A ', avatar: 'img.example.com/a.png' })),
    ).toEqual({
      name: 'A',
      title: null,
      message: null,
      product: null,
      avatar: 'https://img.example.com/a.png',
      banner: null,
      counter: 10,
    });
  });

  it('shows a preview of any content', () => {
    for (const part of [
      {},
      { counter: Number.NaN },
      { counter: 400 },
      { banner: 'https://' },
      { product: 'javascript:1' },
    ]) {
      const draft = splashDraftOf({ ...emptySplashForm(), ...part });
      expect(previewSplash.body.safeParse(draft).success).toBe(true);
    }
  });

  it('reports invalid fields', () => {
    const words = { required: 'required', address: 'address', counter: 'counter' };
    const wrong = { ...emptySplashForm(), banner: 'no address', counter: 61 };
    expect(checkSplash(wrong, words).map(({ name }) => name)).toEqual(['name', 'banner', 'counter']);
    expect(checkSplash({ ...emptySplashForm(), name: 'A', counter: 1.5 }, words)).toHaveLength(1);
  });

  it('starts from an existing page', () => {
    const details = {
      id: 1,
      date: '2027-01-15 12:00:00',
      name: 'A',
      title: null,
      message: 'm',
      product: null,
      avatar: null,
      banner: null,
      counter: 3,
    };
    expect(splashOf(formOfSplash(details))).toMatchObject({
      name: 'A',
      title: null,
      message: 'm',
      counter: 3,
    });
  });
});

describe('the type in the link form', () => {
  it('is only sent when changed', () => {
    expect(bodyOf({ ...emptyForm(), type: 'frame' }, { ...emptyForm(), type: 'frame' })).not.toHaveProperty(
      'type',
    );
    expect(bodyOf({ ...emptyForm(), type: 'overlay-3' }, emptyForm())).toMatchObject({ type: 'overlay-3' });
  });
});
