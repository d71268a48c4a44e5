import { es as components } from '@nuxt/ui/locale';
import type { Translation } from '../translation.ts';
import { failures } from './failures.ts';

/** Spanish. */
export const translation: Translation = { failures, components };
