/** Whether a line may break before or after the punctuation of a French text: `Quoi ?`, `« mot »`. */
export function hasLoosePunctuation(text: string): boolean {
  return /[^\s|] [:;?!»]|« /.test(text);
}

/** Words of the form of address that Waypost does not use: Sie, vous, tú, and in Portuguese none at all. */
const foreign: Readonly<Record<string, RegExp>> = {
  de: /(?<!\p{L})(?:du|dich|dir|dein\p{L}*)(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:tu|toi|ton|tes)(?!\p{L})/iu,
  es: /(?<!\p{L})(?:usted|ustedes|vos|vosotr[oa]s)(?!\p{L})|(?<!\p{L})le (?:ha|he|han) /iu,
  pt: /(?<!\p{L})(?:você|vocês|tu|teu|teus|tua|tuas|o\(a\))(?!\p{L})/iu,
};

/** Whether a text addresses its reader in another way than the rest of Waypost does in that language. */
export function addressesOtherwise(language: string, text: string): boolean {
  return foreign[language]?.test(text) ?? false;
}
