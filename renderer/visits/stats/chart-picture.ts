/** Dots of the picture for each of the screen, so that it stays sharp in print. */
const scale = 2;

/** A chart's SVG as a PNG on the page's own background; undefined where the browser cannot draw it. */
export async function chartPicture(svg: string, page: HTMLElement): Promise<Blob | undefined> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width * scale;
    canvas.height = image.height * scale;
    const context = canvas.getContext('2d');
    if (!context || canvas.width === 0) return undefined;
    context.fillStyle = getComputedStyle(page).backgroundColor;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => {
      canvas.toBlob((png) => resolve(png ?? undefined), 'image/png');
    });
  } catch {
    // What cannot be decoded cannot be drawn.
    return undefined;
  } finally {
    URL.revokeObjectURL(address);
  }
}
