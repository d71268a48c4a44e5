/** Puts a PNG on the clipboard. Throws where that is not allowed, or not possible. */
export async function copyPicture(png: Uint8Array<ArrayBuffer>): Promise<void> {
  // The desktop gives its page no permission, that for the clipboard included.
  if (window.desktop) await window.desktop.copyPicture(png);
  else
    await navigator.clipboard.write([
      new ClipboardItem({ 'image/png': new Blob([png], { type: 'image/png' }) }),
    ]);
}
