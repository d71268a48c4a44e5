/** Offers `address` (a `data:` or `blob:` one) as a download named `fileName`. */
export function saveFile(address: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
}
