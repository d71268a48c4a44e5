import { contrastOf, leastContrast } from './contrast.ts';

/** Colors of a bio page, each `#RRGGBB`. `ground` is a gradient; both ends are equal for a solid background. */
export interface BioPalette {
  ground: readonly [string, string];
  text: string;
  button: string;
  buttontext: string;
  /** Border color of buttons. */
  line: string;
  /** Colors of a highlighted button; by default the text and background colors are swapped. */
  accent?: readonly [button: string, text: string];
}

export const bioShapes = ['rounded', 'pill', 'square'] as const;
export type BioShape = (typeof bioShapes)[number];
export const bioFonts = ['sans', 'rounded', 'serif', 'mono'] as const;
export type BioFont = (typeof bioFonts)[number];

export interface BioTheme extends BioPalette {
  shape: BioShape;
  font: BioFont;
  shadow: 'none' | 'soft' | 'hard';
  /**
   * The dark variant, for visitors who prefer a dark color scheme; without it the theme looks the same for everyone.
   */
  dark?: BioPalette;
}

const plain = (color: string) => [color, color] as const;

/** The built-in themes. A test checks that all text has enough contrast. */
export const bioThemes = {
  plain: {
    ground: plain('#F6F7F9'),
    text: '#15181E',
    button: '#FFFFFF',
    buttontext: '#15181E',
    line: '#E2E5EA',
    shape: 'rounded',
    font: 'sans',
    shadow: 'soft',
    dark: {
      ground: plain('#0D0F13'),
      text: '#EEF0F4',
      button: '#161A21',
      buttontext: '#EEF0F4',
      line: '#2C333F',
    },
  },
  paper: {
    ground: plain('#F7F1E5'),
    text: '#2B2318',
    button: '#FFFBF2',
    buttontext: '#2B2318',
    line: '#D9CBB0',
    shape: 'square',
    font: 'serif',
    shadow: 'none',
  },
  ink: {
    ground: plain('#0B0B0C'),
    text: '#FAFAFA',
    button: '#0B0B0C',
    buttontext: '#FAFAFA',
    line: '#FAFAFA',
    shape: 'pill',
    font: 'sans',
    shadow: 'none',
  },
  ocean: {
    ground: ['#0B2A4A', '#0E5E78'],
    text: '#F2FAFF',
    button: '#F2FAFF',
    buttontext: '#0B2A4A',
    line: '#F2FAFF',
    accent: ['#FFC857', '#1F1A0A'],
    shape: 'rounded',
    font: 'sans',
    shadow: 'none',
  },
  forest: {
    ground: ['#12281D', '#1F4A34'],
    text: '#F1F7EE',
    button: '#2F6B4B',
    buttontext: '#FFFFFF',
    line: '#4E8F6C',
    shape: 'rounded',
    font: 'serif',
    shadow: 'none',
  },
  sunset: {
    ground: ['#FFD9A8', '#FFB3B8'],
    text: '#3A1430',
    button: '#4A1A3D',
    buttontext: '#FFF4EA',
    line: '#4A1A3D',
    accent: ['#FFF7EE', '#4A1A3D'],
    shape: 'pill',
    font: 'rounded',
    shadow: 'none',
  },
  lavender: {
    ground: ['#F3EEFF', '#E0EAFF'],
    text: '#2A2150',
    button: '#FFFFFF',
    buttontext: '#3B2E78',
    line: '#D5CAF5',
    shape: 'pill',
    font: 'rounded',
    shadow: 'soft',
  },
  mono: {
    ground: plain('#FFFFFF'),
    text: '#000000',
    button: '#FFFFFF',
    buttontext: '#000000',
    line: '#000000',
    shape: 'square',
    font: 'sans',
    shadow: 'hard',
  },
  candy: {
    ground: plain('#FFE45C'),
    text: '#1A1A1A',
    button: '#FF8FC7',
    buttontext: '#1A1A1A',
    line: '#1A1A1A',
    shape: 'rounded',
    font: 'rounded',
    shadow: 'hard',
  },
  terminal: {
    ground: plain('#07130C'),
    text: '#9DF5B4',
    button: '#0C2015',
    buttontext: '#9DF5B4',
    line: '#2C7A49',
    shape: 'square',
    font: 'mono',
    shadow: 'none',
  },
} as const satisfies Record<string, BioTheme>;
export type BioThemeName = keyof typeof bioThemes;
export const bioThemeNames = Object.keys(bioThemes) as BioThemeName[];

/** Colors that override a theme's. */
export interface BioColors {
  background?: string | undefined;
  text?: string | undefined;
  button?: string | undefined;
  buttontext?: string | undefined;
}

/** A theme with overrides of colors, shape and font. With custom colors there is no dark variant. */
export function bioLook(
  name: BioThemeName,
  colors: BioColors,
  { shape, font }: { shape?: BioShape | null; font?: BioFont | null } = {},
): BioTheme {
  const theme: BioTheme = bioThemes[name];
  const { background, text, button, buttontext } = colors;
  const isOwn = [background, text, button, buttontext].some((color) => color !== undefined);
  const { dark, accent, ...light } = theme;
  return {
    ...light,
    ...(dark && !isOwn && { dark }),
    ...(accent && !isOwn && { accent }),
    ground: background === undefined ? theme.ground : plain(background),
    text: text ?? theme.text,
    button: button ?? theme.button,
    buttontext: buttontext ?? theme.buttontext,
    // A border meant for other colors would look like a mistake.
    line: button === undefined ? theme.line : button,
    shape: shape ?? theme.shape,
    font: font ?? theme.font,
  };
}

/** The color pairs with insufficient contrast: text on the background, and text on buttons. */
export function unreadable({ ground, text, button, buttontext }: BioPalette): ('text' | 'buttontext')[] {
  const faults: ('text' | 'buttontext')[] = [];
  if (ground.some((color) => contrastOf(text, color) < leastContrast)) faults.push('text');
  if (contrastOf(buttontext, button) < leastContrast) faults.push('buttontext');
  return faults;
}
