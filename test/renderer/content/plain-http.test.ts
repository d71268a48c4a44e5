import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import { useSavedViews } from '../../../renderer/content/links/saved-views.ts';
import { copyPicture } from '../../../renderer/ui/copy-picture.ts';
import { meta, openPage } from '../page.ts';

describe('a page loaded over plain HTTP', () => {
  beforeEach(() => {
    const { getRandomValues } = crypto;
    vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) });
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, 'clipboard');
  });

  it('saves views, each of which can be removed', async () => {
    const kept: { saved?: ReturnType<typeof useSavedViews> } = {};
    const names = defineComponent(() => {
      const saved = useSavedViews();
      kept.saved = saved;
      return () => h('p', saved.views.value.map(({ name }) => name).join(', '));
    });
    const page = await openPage(names, '/', { 'GET /api/meta': meta(false) });
    kept.saved?.save('Spring', { q: 'spring', order: 'date_desc' });
    kept.saved?.save('Autumn', { q: 'autumn', order: 'date_desc' });
    await page.wrapper.vm.$nextTick();
    expect(page.text()).toBe('Spring, Autumn');
    kept.saved?.remove(kept.saved.views.value[0]?.id ?? '');
    await page.wrapper.vm.$nextTick();
    expect(page.text()).toBe('Autumn');
  });

  it('says that it cannot copy a picture', async () => {
    expect(await copyPicture(new Uint8Array(8))).toBe(false);
  });
});
