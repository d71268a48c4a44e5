import UApp from '@nuxt/ui/components/App.vue';
import { describe, expect, it } from 'vitest';
import { type Component, h } from 'vue';
import BioTable from '../../../renderer/content/bio/BioTable.vue';
import CampaignTable from '../../../renderer/content/campaigns/CampaignTable.vue';
import ChannelItemTable from '../../../renderer/content/channels/ChannelItemTable.vue';
import FileTable from '../../../renderer/content/files/FileTable.vue';
import { account, meta, openPage, settle } from '../page.ts';

const link = 'https://go.example/one';
const date = '2026-11-01 10:00:00';
const file = { id: 1, name: 'One', shorturl: link, downloads: 0, size: 1, status: 'public', date };
/** What a table offers, and whether statistics are behind it that no other entry of the menu leads to. */
const tables: [string, Component, object, boolean?][] = [
  ['files', FileTable as Component, { files: [file] }],
  [
    'campaigns',
    CampaignTable as Component,
    { campaigns: [{ id: 1, name: 'One', slug: 'one', public: true, rotator: link, list: link }] },
  ],
  [
    'bio pages',
    BioTable as Component,
    { pages: [{ id: 1, name: 'One', link, views: 0, uniqueviews: 0, clicks: 0, date }] },
    true,
  ],
  [
    'items of a channel',
    ChannelItemTable as Component,
    {
      items: [{ type: 'links', id: 1, title: 'One', link, preview: null, date: '2026-11-01' }],
      editable: true,
    },
  ],
];

describe("a row's menu on touch screens", () => {
  it.each(tables)(
    'of %s copies, opens and shows the code of its short link',
    async (_, table, props, hasStatistics = false) => {
      const selection = { count: 0, isAll: false, has: () => false, toggle() {}, toggleAll() {} };
      await openPage((() => h(UApp, () => h(table, { ...props, selection }))) as never, '/links', {
        'GET /api/meta': meta(false),
        'GET /api/account': { body: { error: 0, data: account } },
      });
      await expect.poll(() => document.querySelector('[aria-label="Actions for One"]')).not.toBeNull();
      document
        .querySelector('[aria-label="Actions for One"]')
        ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      await settle();
      const entries = [...document.querySelectorAll('[role=menuitem]')].map((entry) =>
        entry.textContent?.trim(),
      );
      expect(entries).toEqual(
        expect.arrayContaining([expect.stringMatching(/^Copy /), 'Open short link', 'QR code']),
      );
      expect(entries.includes('Statistics')).toBe(hasStatistics);
    },
  );
});
