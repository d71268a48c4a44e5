import type { QrFormState } from './qr-form.ts';

type Look = Pick<
  QrFormState,
  | 'foreground'
  | 'background'
  | 'coloring'
  | 'gradientTo'
  | 'gradientAngle'
  | 'modules'
  | 'eyes'
  | 'pupils'
  | 'ownEyes'
> & { eyecolor?: string };

const plain = {
  background: '#FFFFFF',
  coloring: 'plain',
  gradientTo: '#2563EB',
  gradientAngle: 45,
  ownEyes: false,
} as const;

/** Style presets; `name` is the message key. */
export const looks: readonly { name: string; look: Look }[] = [
  {
    name: 'classic',
    look: { ...plain, foreground: '#000000', modules: 'square', eyes: 'square', pupils: 'square' },
  },
  {
    name: 'soft',
    look: { ...plain, foreground: '#111827', modules: 'rounded', eyes: 'rounded', pupils: 'rounded' },
  },
  {
    name: 'ocean',
    look: {
      ...plain,
      foreground: '#1E3A8A',
      coloring: 'linear',
      gradientTo: '#0E7490',
      modules: 'rounded',
      eyes: 'circle',
      pupils: 'circle',
    },
  },
  {
    name: 'berry',
    look: {
      ...plain,
      foreground: '#6D28D9',
      coloring: 'linear',
      gradientTo: '#BE185D',
      modules: 'dots',
      eyes: 'circle',
      pupils: 'circle',
    },
  },
  {
    name: 'forest',
    look: {
      ...plain,
      foreground: '#14532D',
      background: '#F0FDF4',
      modules: 'leaf',
      eyes: 'leaf',
      pupils: 'leaf',
    },
  },
  {
    name: 'ember',
    look: {
      ...plain,
      foreground: '#1F2937',
      modules: 'vertical',
      eyes: 'rounded',
      pupils: 'circle',
      ownEyes: true,
      eyecolor: '#C2410C',
    },
  },
];
