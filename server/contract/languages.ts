import { z } from 'zod';

/** The languages of the app and of the pages that visitors see, by their tag (BCP 47). */
export const languages = ['en', 'de', 'fr', 'es', 'pt', 'ar'] as const;
export type Language = (typeof languages)[number];

/** The language that a person reads the app in; an empty text follows the browser or the system. */
export const chosenLanguage = z.enum(['', ...languages], 'Choose en, de, fr, es, pt or ar.');
