/**
 * Copies text to the clipboard and returns whether it succeeded. The Clipboard API requires a secure context, and a
 * server shared on the LAN may be reached over plain HTTP, so there is a fallback to `execCommand`.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (window.desktop) await window.desktop.copyText(text);
    else if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else return copyBySelection(text);
    return true;
  } catch {
    // Permission denied, or the page lost focus.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('readonly', '');
  field.setAttribute('aria-hidden', 'true');
  field.style.position = 'fixed';
  field.style.opacity = '0';
  const before = document.activeElement;
  // Inside an open dialog; otherwise its focus trap would take the selection before the copy.
  (document.querySelector('[role="dialog"]') ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
