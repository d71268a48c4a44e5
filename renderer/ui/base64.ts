/** Decodes base64. Not with `fetch`, because the desktop's CSP forbids fetching `data:` URLs. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
