import UApp from '@nuxt/ui/components/App.vue';
import { useToast } from '@nuxt/ui/composables';
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import { ApiFailure } from '../../../renderer/api/failure.ts';
import { useInstanceStore } from '../../../renderer/api/instance.ts';
import { messages } from '../../../renderer/content/bio/messages.ts';
import { pageRouter } from '../../../renderer/router.ts';
import { translations } from '../../../renderer/ui/sentences.ts';
import { useRemoveWithUndo } from '../../../renderer/ui/use-remove-with-undo.ts';

type Thing = { id: number; name: string };
const anna: Thing = { id: 1, name: 'Anna' };
const bert: Thing = { id: 2, name: 'Bert' };

let wrapper: VueWrapper | undefined;
let done: string[] = [];
let refused: number | undefined;
beforeEach(() => {
  setActivePinia(createPinia());
  done = [];
  refused = undefined;
});
afterEach(() => {
  wrapper?.unmount();
  document.body.replaceChildren();
});

/** A page that deletes bio pages, on an instance with these features. */
function remover(features: string[]): (things: Thing | readonly Thing[]) => Promise<boolean> {
  let remove: ((things: Thing | readonly Thing[]) => Promise<boolean>) | undefined;
  const page = defineComponent({
    setup() {
      // What was said before is said to all pages.
      useToast().clear();
      remove = useRemoveWithUndo<Thing>({
        labels: 'bio',
        feature: 'restore-pages',
        remove: async (id) => {
          if (id === refused) throw new ApiFailure('refused', 'It is in use.');
          done.push(`remove ${id}`);
        },
        restore: async (id) => {
          done.push(`restore ${id}`);
        },
        reload: async () => {
          done.push('reload');
        },
      });
      return () => h('p');
    },
  });
  useInstanceStore().meta = { name: 'Waypost', version: '1', contract: '3', features, setup: false };
  // As a page of bios brings them.
  const translator = translations();
  translator.global.mergeLocaleMessage('en', messages.en);
  wrapper = mount(() => h(UApp, () => h(page)), {
    attachTo: document.body,
    global: { plugins: [translator, pageRouter()] },
  });
  if (!remove) throw new Error('The page was not set up.');
  return remove;
}

async function press(label: string): Promise<void> {
  await flushPromises();
  const button = [...document.querySelectorAll('button')].find((one) => one.textContent?.trim() === label);
  if (!button) throw new Error(`There is no button “${label}” in ${document.body.textContent}`);
  button.click();
  await flushPromises();
}
const shown = async () => {
  await flushPromises();
  return document.body.textContent ?? '';
};

describe('deleting with undo', () => {
  it('does not ask, and restores all of them', async () => {
    const remove = remover(['restore-pages']);
    expect(await remove([anna, bert])).toBe(true);
    expect(done).toEqual(['remove 1', 'remove 2', 'reload']);
    expect(await shown()).toContain('2 bio pages were deleted');
    await press('Undo');
    expect(done.slice(3)).toEqual(['restore 1', 'restore 2', 'reload']);
  });

  it('restores them once, however often the button is pressed', async () => {
    await remover(['restore-pages'])(anna);
    await flushPromises();
    const undo = [...document.querySelectorAll('button')].find((one) => one.textContent?.trim() === 'Undo');
    undo?.click();
    undo?.click();
    expect(await shown()).toContain('Undone');
    expect(done).toEqual(['remove 1', 'reload', 'restore 1', 'reload']);
  });

  it('names a single record', async () => {
    await remover(['restore-pages'])(anna);
    expect(await shown()).toContain('Anna was deleted');
  });

  it('offers undo for those deleted before one failed', async () => {
    refused = 2;
    const remove = remover(['restore-pages']);
    expect(await remove([anna, bert])).toBe(false);
    expect(await shown()).toContain('Anna was deleted');
    expect(await shown()).toContain('It is in use.');
    await press('Undo');
    expect(done).toEqual(['remove 1', 'reload', 'restore 1', 'reload']);
  });
});

describe('deleting without undo', () => {
  it('asks first, and offers no undo', async () => {
    // What brings campaigns back says nothing of pages.
    const gone = remover(['restore'])([anna, bert]);
    expect(await shown()).toContain('Delete 2 bio pages?');
    expect(done).toEqual([]);
    await press('Delete permanently');
    expect(await gone).toBe(true);
    expect(done).toEqual(['remove 1', 'remove 2', 'reload']);
    expect(await shown()).not.toContain('Undo');
  });

  it('deletes nothing if declined', async () => {
    const gone = remover([])(anna);
    expect(await shown()).toContain('Delete Anna?');
    await press('Cancel');
    expect(await gone).toBe(false);
    expect(done).toEqual([]);
  });
});
