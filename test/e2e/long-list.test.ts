import { describe, expect, test } from 'vitest';
import { numberedLinks } from '../support/numbered-links.ts';
import { findChromium } from '../support/provision.ts';

/** 44 pixels each: taller than a list is drawn in full (`renderer/ui/scroll-scale.ts`). */
const count = 130_000;

describe.skipIf(!findChromium())('a list that is too tall for browsers', () => {
  const list = numberedLinks(count);

  const isVisible = (place: number) =>
    expect
      .poll(async () => {
        const [box, frame] = [await list.row(place).boundingBox(), await list.scroller().boundingBox()];
        return box && frame && box.y >= frame.y && box.y + box.height <= frame.y + frame.height + 1;
      })
      .toBe(true);

  test('reaches its last link at the end of the scroll bar, showing every row on the way', async () => {
    const drawn = await list.scroller().evaluate((element) => element.scrollHeight);
    expect(drawn).toBeLessThan(17_000_000);
    await list.scroller().evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await isVisible(count);
    const [last] = await Promise.all([
      fetch(`${list.server.origin}/tall1`, { redirect: 'manual' }),
      list.row(count).getByText('tall1', { exact: true }).waitFor(),
    ]);
    expect(last.headers.get('location')).toBe('https://example.com/1');

    // The wheel moves by what it turns, wherever a jump has led.
    const index = await list.dragTo(0.5);
    const before = (await list.row(index + 1).boundingBox())?.y ?? 0;
    await list.scroller().hover();
    await list.page.mouse.wheel(0, 132);
    await expect.poll(async () => (await list.row(index + 1).boundingBox())?.y).toBe(before - 132);

    // From the middle to the end at once, by the scroll bar and by a key.
    await list.scroller().evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await isVisible(count);
    await list.scroller().evaluate((element) => element.scrollTo(0, 0));
    await isVisible(1);
    await list.row((await list.dragTo(0.5)) + 1).focus();
    await list.page.keyboard.press('End');
    await isVisible(count);
    await list.page.locator(`tbody tr[data-index="${count - 1}"]:focus`).waitFor();

    await list.scroller().evaluate((element) => element.scrollTo(0, 0));
    await isVisible(1);
  });

  test('is navigated by keyboard from first to last row, and keeps its place when left', async () => {
    await list.row(1).focus();
    await list.page.keyboard.press('End');
    await isVisible(count);
    await list.page.keyboard.press('PageUp');
    await list.page.keyboard.press('ArrowUp');
    const place = Number(await list.page.locator('tbody tr:focus').getAttribute('data-index')) + 1;
    expect(place).toBeLessThan(count - 5);
    await isVisible(place);
    await list.page.keyboard.press('Home');
    await isVisible(1);

    const index = await list.dragTo(0.3);
    await list.row(index + 1).focus();
    await list.page.keyboard.press('Enter');
    await list.page.waitForURL(/\/links\/\d+/);
    await list.page.goBack();
    await isVisible(index + 1);
    await list.page.locator(`tbody tr[data-index="${index}"]:focus`).waitFor();
  });

  test('is navigated by the same keys while nothing in particular has the focus', async () => {
    const isAt = async (place: number) => {
      await list.row(place).and(list.page.locator(':focus')).waitFor();
      await isVisible(place);
    };
    const leave = () =>
      list.page.evaluate(
        () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
      );
    await list.openAtStart();
    await list.page.locator('#content').focus();
    await list.page.keyboard.press('ArrowDown');
    await isAt(1);
    await leave();
    await list.page.keyboard.press('End');
    await isAt(count);
    await leave();
    await list.page.keyboard.press('Home');
    await isAt(1);
    // In a field they move the caret.
    await list.page.getByRole('textbox', { name: 'URL' }).first().fill('https://example.com/');
    await list.page.keyboard.press('End');
    await isVisible(1);
  });

  test('shows the host that all links have once, above them', async () => {
    const { host } = new URL(list.server.origin);
    const heading = list.page.getByRole('columnheader', { name: `Short link ${host}/`, exact: true });
    await heading.waitFor();
    expect(await list.page.locator('tbody').getByText(host).count()).toBe(0);
    await list.page.getByRole('link', { name: `${host}/tall${count}`, exact: true }).waitFor();
  });

  test('stays where it is while an error is shown above it', async () => {
    const field = list.page.getByRole('textbox', { name: 'URL' }).first();
    await field.fill('');
    const before = await list.scroller().boundingBox();
    await field.fill('https://exa mple.com/');
    await list.page.keyboard.press('Enter');
    const error = list.page.locator('form [data-slot="error"]');
    await error.waitFor();
    expect(await list.scroller().boundingBox()).toEqual(before);
    const [box, form] = [await error.boundingBox(), await list.page.locator('form').boundingBox()];
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((form?.y ?? 0) + (form?.height ?? 0));
  });

  test('stays in place when scrolled far back, step by step', { tags: 'long' }, async () => {
    await list.dragTo(0.2);
    const first = list.page.locator('tbody tr[data-index]').first();
    const start = Number(await first.getAttribute('data-index'));
    // 60,000 pixels in steps that are no jumps.
    const seen = await list.scroller().evaluate(async (element) => {
      const places: number[] = [];
      for (let step = 0; step < 30; step += 1) {
        element.scrollBy(0, -2000);
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        places.push(Number(element.querySelector('tr[data-index]')?.getAttribute('data-index')));
      }
      return places;
    });
    const end = Number(await first.getAttribute('data-index'));
    expect(start - end).toBeGreaterThanOrEqual(Math.floor(60_000 / 44) - 1);
    expect(start - end).toBeLessThanOrEqual(Math.ceil(60_000 / 44) + 1);
    expect(seen.every((place, step) => step === 0 || place <= (seen[step - 1] ?? 0))).toBe(true);
    expect(list.complaints).toEqual([]);
  });
});
