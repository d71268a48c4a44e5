import UApp from '@nuxt/ui/components/App.vue';
import { flushPromises, mount } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { describe, expect, test } from 'vitest';
import { h } from 'vue';
import PixelSlideover from '../../../renderer/content/pixels/PixelSlideover.vue';
import QrPreview from '../../../renderer/content/qr/QrPreview.vue';
import { pageRouter } from '../../../renderer/router.ts';
import { translations } from '../../../renderer/ui/sentences.ts';
import { account, fieldOf, fill, meta, openPage } from '../page.ts';

describe('the preview of a QR code', () => {
  const code = {
    svg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    encoded: 'x',
    correction: 'M',
    size: 25,
  } as const;
  const lowContrast = {
    field: 'foreground',
    code: 'low_contrast',
    message: 'The colors are too much alike.',
  };
  const dense = { field: 'data', code: 'small_modules', message: 'The modules are small in print.' };

  function preview(drawn: object, failure = '') {
    setActivePinia(createPinia());
    const props = {
      drawn: { ...code, problem: null, warnings: [], ...drawn },
      failure,
      busy: false,
      isSample: false,
    };
    return mount(() => h(UApp, () => h(QrPreview, props as never)), {
      global: { plugins: [translations(), pageRouter()] },
    }).get('[role="status"]');
  }

  test('says of each reason why some may not read it', () => {
    const warned = preview({ warnings: [lowContrast, dense] });
    expect(warned.findAll('[data-qr-warning]').map((each) => each.text())).toEqual([
      expect.stringContaining(lowContrast.message),
      expect.stringContaining(dense.message),
    ]);
    expect(warned.text()).not.toContain('Scans');
  });

  test('says that it scans where there is no warning', () => {
    const fine = preview({});
    expect(fine.findAll('[data-qr-warning]')).toEqual([]);
    expect(fine.find('.text-success').exists()).toBe(true);
  });

  test('says why nobody reads it, and not that some may not', () => {
    const broken = preview({ problem: lowContrast, warnings: [dense] });
    expect(broken.get('.text-error').text()).toContain(lowContrast.message);
    expect(broken.findAll('[data-qr-warning]')).toEqual([]);
  });
});

describe('the form of a pixel', () => {
  test('warns of a tag that is none of the service’s, and of no other', async () => {
    await openPage(() => h(UApp, () => h(PixelSlideover, { open: true })) as never, '/pixels', {
      'GET /api/meta': meta(false),
      'GET /api/account': { body: { error: 0, data: account } },
    });
    const warning = () => document.querySelector('[data-tag-warning]');
    expect(warning()).toBeNull();
    const label = [...document.querySelectorAll('label')].map((each) => each.textContent?.trim());
    expect(label).toContain('Tag');
    await fill('Tag', 'not-of-this-service');
    await flushPromises();
    expect(warning()?.getAttribute('role')).toBe('status');
    await fill('Tag', fieldOf('Tag').placeholder);
    expect(warning()).toBeNull();
  });
});
