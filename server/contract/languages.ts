import { z } from 'zod';

/** Languages of the app and of visitor pages (BCP 47 tags). */
export const languages = ['en', 'de', 'fr', 'es', 'pt', 'ar'] as const;
export type Language = (typeof languages)[number];

/** The user's language in the app; an empty string follows the browser or the system. */
export const chosenLanguage = z.enum(['', ...languages], 'Choose en, de, fr, es, pt or ar.');
