/** The bytes that `base64` spells. By hand, because the desktop's policy forbids to fetch a `data:` address. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
