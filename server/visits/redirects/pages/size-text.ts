import type { PageTexts } from './page-texts.ts';

/** A size in the visitor's language, in the unit that leaves one to three digits before the point: `1.4 MB`. */
export function sizeText(bytes: number, { language, file }: PageTexts): string {
  const units = file.units.split(' ');
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = value >= 100 || unit === 0 ? 0 : 1;
  const number = value.toLocaleString(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${number} ${units[unit]}`;
}
