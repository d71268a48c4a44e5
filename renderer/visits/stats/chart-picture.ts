/** Image pixels per CSS pixel, for sharp prints. */
const scale = 2;

/** Renders a chart's SVG as a PNG with the page's background; undefined if the browser cannot render it. */
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
    // The browser cannot decode the SVG.
    return undefined;
  } finally {
    URL.revokeObjectURL(address);
  }
}
