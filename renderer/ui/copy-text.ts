/**
 * Puts text on the clipboard. The Clipboard API exists in secure contexts only, and a server shared on the LAN is
 * reached over plain http, so there is the old way as well. Returns whether it worked.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (window.desktop) await window.desktop.copyText(text);
    else if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else return copyBySelection(text);
    return true;
  } catch {
    // Permission refused, or the page lost the focus.
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
  // Inside an open dialog, or its focus trap takes the selection away before the copy.
  (document.querySelector('[role="dialog"]') ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
