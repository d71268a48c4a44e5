const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A size in bytes as `1.4 MB`, formatted for `locale`, with decimal units (1 kB = 1000 bytes). */
export function fileSize(bytes: number, locale: string): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 || value >= 100 ? 0 : 1,
  }).format(value);
}

/** The icon for a file's extension; for display only. */
export function fileIcon(name: string): string {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  if (/^(png|jpe?g|gif|webp|svg|avif|heic|bmp|tiff?)$/.test(ending)) return 'i-lucide-file-image';
  if (/^(mp4|mov|webm|mkv|avi)$/.test(ending)) return 'i-lucide-file-video';
  if (/^(mp3|wav|flac|ogg|m4a)$/.test(ending)) return 'i-lucide-file-audio';
  if (/^(zip|gz|tar|7z|rar|xz|zst)$/.test(ending)) return 'i-lucide-file-archive';
  if (/^(csv|xlsx?|ods|numbers)$/.test(ending)) return 'i-lucide-file-spreadsheet';
  if (/^(pdf|docx?|odt|md|txt|rtf|pages)$/.test(ending)) return 'i-lucide-file-text';
  return 'i-lucide-file';
}
