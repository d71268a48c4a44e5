import type { Markup } from '../../../platform/text/markup.ts';

const sign = (path: string): Markup => ({
  markup: `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${path}"/></svg>`,
});
export const signs = {
  person: sign('M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.5-6 8-6s8 2 8 6'),
  play: sign('M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zM10 8l6 4-6 4z'),
  file: sign('M12 3v12M7 11l5 5 5-5M4 21h16'),
  share: sign('M12 15V3M7 8l5-5 5 5M5 13v8h14v-8'),
};
