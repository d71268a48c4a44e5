/** Offers `address` (a `data:` or `blob:` one) as a download named `fileName`. */
export function saveFile(address: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
}

/** Offers a text as a download named `fileName`. */
export function saveText(text: string, type: string, fileName: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  saveFile(address, fileName);
  // The browser has taken it over by the next turn.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
