import { pt as components } from '@nuxt/ui/locale';
import type { Translation } from '../translation.ts';
import { failures } from './failures.ts';

/** Portuguese. */
export const translation: Translation = { failures, components };
