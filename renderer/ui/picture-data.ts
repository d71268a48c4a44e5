/** The API limit is 900,000 characters of base64. */
const mostBytes = 600_000;
/**
 * Maximum edge lengths in pixels, tried in order until the picture is small enough; the server scales down to the
 * first.
 */
const edges = [1200, 900, 600, 400];

/**
 * Converts a picture to a `data:` URL that the server accepts: PNG or JPEG, scaled down if too large. Undefined if the
 * browser cannot decode it. `isRefused` forces re-encoding even if the file looks acceptable.
 */
export async function pictureData(file: Blob, isRefused = false): Promise<string | undefined> {
  const type = isRefused || file.size > mostBytes ? undefined : await typeOf(file);
  const picture = type === undefined ? await redrawn(file) : file.slice(0, file.size, type);
  return picture && addressOf(picture);
}

/** PNG or JPEG by magic bytes, since the extension may be wrong. */
async function typeOf(file: Blob): Promise<string | undefined> {
  const start = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  const begins = (bytes: readonly number[]) => bytes.every((byte, at) => start[at] === byte);
  if (begins([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  return begins([0xff, 0xd8, 0xff]) ? 'image/jpeg' : undefined;
}

async function redrawn(file: Blob): Promise<Blob | undefined> {
  const source = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = source;
    await image.decode();
    for (const edge of edges) {
      const canvas = drawn(image, edge);
      // JPEG for opaque pictures too large as PNG; transparency requires PNG.
      for (const type of isOpaque(canvas) ? ['image/png', 'image/jpeg'] : ['image/png']) {
        const blob = await encoded(canvas, type);
        if (blob && blob.size <= mostBytes) return blob;
      }
    }
    return undefined;
  } catch {
    // Not a picture, or a format the browser does not support.
    return undefined;
  } finally {
    URL.revokeObjectURL(source);
  }
}

function drawn(image: HTMLImageElement, edge: number): HTMLCanvasElement {
  // An SVG may have no intrinsic size.
  const width = image.naturalWidth || edge;
  const height = image.naturalHeight || edge;
  const scale = Math.min(1, edge / Math.max(width, height, 1));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function isOpaque(canvas: HTMLCanvasElement): boolean {
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
  return pixels?.every((value, index) => index % 4 !== 3 || value === 255) ?? false;
}

function encoded(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.88));
}

function addressOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
