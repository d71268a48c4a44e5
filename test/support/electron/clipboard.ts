import type { Clipboard, ClipboardItem as ElectronItem } from 'electron';
import { mayFail } from './settings.ts';
import { onOrder, tell } from './test-channel.ts';

let copied = '';
onOrder((order) => {
  if (order.type === 'copy') copied = order.text;
});

type Contents = ConstructorParameters<typeof ElectronItem>[0];

export class ClipboardItem implements Pick<ElectronItem, 'types'> {
  readonly types: string[];
  readonly contents: Contents;

  constructor(items: Contents) {
    this.types = Object.keys(items);
    if (this.types.length === 0) throw new TypeError('A ClipboardItem needs at least one type.');
    this.contents = items;
  }
}

export const clipboard = {
  // Another program may have the clipboard open.
  async readText() {
    mayFail('clipboard.readText');
    return copied;
  },
  async writeText(text) {
    mayFail('clipboard.writeText');
    copied = text;
    tell({ type: 'copied', text });
  },
  async write(items) {
    mayFail('clipboard.write');
    for (const { contents } of items as unknown as ClipboardItem[]) {
      const picture = await contents['image/png'];
      if (!(picture instanceof Blob))
        throw new TypeError('The stand-in copies pictures of the kind PNG only.');
      tell({ type: 'copied-picture', png: Buffer.from(await picture.arrayBuffer()).toString('base64') });
    }
  },
} satisfies Pick<Clipboard, 'readText' | 'write' | 'writeText'>;
