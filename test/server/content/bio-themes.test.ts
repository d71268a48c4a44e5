import { describe, expect, test } from 'vitest';
import {
  type BioPalette,
  type BioTheme,
  bioLook,
  bioThemes,
  unreadable,
} from '../../../server/contract/bio-themes.ts';
import { contrastOf, mixed, softened } from '../../../server/contract/contrast.ts';
import { lookStyle } from '../../../server/visits/redirects/pages/bio-style.ts';

const palettes: [string, BioPalette][] = Object.entries(bioThemes).flatMap(
  ([name, theme]: [string, BioTheme]) =>
    theme.dark
      ? [
          [name, theme],
          [`${name}, dark`, theme.dark],
        ]
      : [[name, theme]],
);

/** The variables of a palette as the page gets them. */
const variablesOf = (palette: BioPalette): Record<string, string> => {
  const style = lookStyle({ ...palette, shape: 'rounded', font: 'sans', shadow: 'none' });
  return Object.fromEntries(
    [...style.matchAll(/--(\w+):(#[0-9a-f]{6})/gi)].map(([, name, value]) => [name, value]),
  );
};

describe.each(palettes)('the theme %s', (_, palette) => {
  test('is readable everywhere: on the background, on buttons and on highlighted ones', () => {
    expect(unreadable(palette)).toEqual([]);
    const {
      a = '',
      b = '',
      text = '',
      soft = '',
      button = '',
      on = '',
      onsoft = '',
      strong = '',
      strongon = '',
    } = variablesOf(palette);
    const pairs = [
      [text, a],
      [text, b],
      [soft, a],
      [soft, b],
      [on, button],
      [onsoft, button],
      [strongon, strong],
    ] as const;
    for (const [front, back] of pairs) {
      expect([front, back, contrastOf(front, back) >= 4.5]).toEqual([front, back, true]);
    }
  });

  test('has distinguishable highlighted buttons', () => {
    const { button = '', strong = '' } = variablesOf(palette);
    expect(contrastOf(button, strong)).toBeGreaterThan(1.4);
  });
});

test('contrast is computed as in WCAG', () => {
  expect(contrastOf('#000000', '#FFFFFF')).toBeCloseTo(21, 5);
  expect(contrastOf('#FFFFFF', '#FFFFFF')).toBe(1);
  expect(contrastOf('#767676', '#FFFFFF')).toBeCloseTo(4.54, 2);
  expect(contrastOf('#FFFFFF', '#767676')).toBeCloseTo(4.54, 2);
});

test('muted text stays readable', () => {
  expect(mixed('#000000', '#FFFFFF', 0.5)).toBe('#808080');
  expect(softened('#767676', ['#FFFFFF'])).toBe('#767676');
  expect(contrastOf(softened('#15181E', ['#FFFFFF']), '#FFFFFF')).toBeGreaterThan(4.5);
});

test('custom colors replace those of the theme, in the dark variant as well', () => {
  expect(bioLook('plain', {}).dark).toBeDefined();
  const look = bioLook('plain', { background: '#FFEEDD' }, { shape: 'pill', font: 'mono' });
  expect(look).toMatchObject({ ground: ['#FFEEDD', '#FFEEDD'], shape: 'pill', font: 'mono' });
  expect(look.dark).toBeUndefined();
  expect(unreadable(bioLook('plain', { button: '#16191F' }))).toEqual(['buttontext']);
});

test('a highlighted button has a border if text and buttons have the same color', () => {
  const look = bioLook('plain', {
    background: '#FFFFFF',
    text: '#1D4ED8',
    button: '#1D4ED8',
    buttontext: '#FFFFFF',
  });
  const { strong, strongon, strongline } = variablesOf(look);
  expect([strong, strongon, strongline]).toEqual(['#FFFFFF', '#1D4ED8', '#1D4ED8']);
});
