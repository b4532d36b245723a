import type { Page } from 'playwright-core';

/** Distance of two shades of a colour channel. It divides 255, so that white stays white. */
const step = 5;

/** What the page shows, as WebP without loss but of the shades: letters stay sharp. */
export async function smallPicture(page: Page): Promise<Buffer> {
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  // The policy of the page itself refuses to read pictures.
  const blank = await page.context().newPage();
  const bytes = await blank.evaluate(
    async ([data, distance]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      if (!context) {
        throw new Error('the browser draws no pictures');
      }
      context.drawImage(image, 0, 0);
      const pixels = context.getImageData(0, 0, image.width, image.height);
      for (const [at, shade] of pixels.data.entries()) {
        pixels.data[at] = Math.round(shade / distance) * distance;
      }
      context.putImageData(pixels, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 1 });
      return [...new Uint8Array(await blob.arrayBuffer())];
    },
    [png.toString('base64'), step] as const,
  );
  await blank.close();
  return Buffer.from(bytes);
}
