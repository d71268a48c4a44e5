/**
 * Copies a PNG to the clipboard. Returns whether it succeeded: it fails on pages served over plain HTTP and if the user
 * denied permission. Unlike text, pictures have no fallback.
 */
export async function copyPicture(png: Uint8Array<ArrayBuffer>): Promise<boolean> {
  try {
    // The desktop app denies its page all permissions, including clipboard access.
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
