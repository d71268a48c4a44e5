/**
 * Puts a PNG on the clipboard. Returns whether it worked: pages that came over plain HTTP may not, nor where a person
 * refused it, and unlike text there is no other way to copy a picture.
 */
export async function copyPicture(png: Uint8Array<ArrayBuffer>): Promise<boolean> {
  try {
    // The desktop gives its page no permission, that for the clipboard included.
    if (window.desktop) await window.desktop.copyPicture(png);
    else
      await navigator.clipboard.write([
        new ClipboardItem({ 'image/png': new Blob([png], { type: 'image/png' }) }),
      ]);
    return true;
  } catch {
    return false;
  }
}
