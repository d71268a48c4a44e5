import { z } from 'zod';

/** `#RGB` or `#RRGGBB`, normalized to six upper-case digits (decision 0015). */
export const color = z
  .string()
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'Enter the color as #RGB or #RRGGBB.')
  .transform((text) => {
    const digits = text.slice(1).toUpperCase();
    return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`;
  });

/** Preset colors of channels, easy to tell apart. Channels that an import creates get one after the other. */
export const channelColors = {
  red: '#E11D48',
  orange: '#EA580C',
  amber: '#D97706',
  lime: '#65A30D',
  green: '#16A34A',
  teal: '#0D9488',
  sky: '#0284C7',
  blue: '#2563EB',
  violet: '#7C3AED',
  pink: '#DB2777',
  brown: '#92400E',
  slate: '#475569',
} as const;
