import { z } from 'zod';

/** `#RGB` or `#RRGGBB`, normalized to six upper-case digits (decision 0015). */
export const color = z
  .string()
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'Enter the colour as #RGB or #RRGGBB.')
  .transform((text) => {
    const digits = text.slice(1).toUpperCase();
    return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`;
  });
