import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { safeParse } from '../../server/contract/safe-parse.ts';
import type { ApiRequests } from '../requests/api-request.ts';
import { addressIn } from './address-in.ts';
import type { Notify } from './notify.ts';

interface QuickShortenOptions {
  clipboard: { readText(): Promise<string>; writeText(text: string): Promise<void> };
  requests: Pick<ApiRequests, 'send'>;
  /** The instance to create the link on. */
  instance: () => { id: string; name: string };
  notify: Notify;
}

const made = z.object({ shorturl: z.string().max(8_192) });
const said = z.object({ message: z.string().max(300) });

/**
 * Creates a function that shortens the address in the clipboard and copies the short one; a notification shows the
 * result.
 */
export function quickShorten({
  clipboard,
  requests,
  instance,
  notify,
}: QuickShortenOptions): () => Promise<void> {
  return async () => {
    // Reading the clipboard may fail: on Windows while another program has it open, on Wayland without a focused
    // window.
    const copied = await clipboard.readText().catch(() => undefined);
    if (copied === undefined) {
      notify({
        title: 'The clipboard could not be read',
        body: 'Open Waypost and paste the address there, or copy it again.',
      });
      return;
    }
    const address = addressIn(copied);
    if (!address) {
      notify({ title: 'Nothing to shorten', body: 'Copy a URL first.' });
      return;
    }
    const { id, name } = instance();
    const reply = await requests.send(id, randomUUID(), {
      method: 'POST',
      path: '/api/url/add',
      body: { url: address },
    });
    if ('unreachable' in reply) {
      notify({ title: `${name} does not answer`, body: reply.message });
      return;
    }
    const short = safeParse(made, reply.body);
    // The response is untrusted: copy only a valid address.
    const shortAddress = short.success ? addressIn(short.data.shorturl) : undefined;
    if (reply.status >= 200 && reply.status < 300 && shortAddress) {
      const isCopied = await clipboard.writeText(shortAddress).then(
        () => true,
        () => false,
      );
      notify({
        title: isCopied ? 'Short link copied' : 'The link is made, but could not be copied',
        body: shortAddress,
        quiet: isCopied,
      });
      return;
    }
    const why = safeParse(said, reply.body);
    notify({
      title: 'The link was not created',
      body: why.success ? why.data.message : `${name} answered with status ${reply.status}.`,
    });
  };
}
