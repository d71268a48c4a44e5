/** What uniqueness of names looks at: composed and without case. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
