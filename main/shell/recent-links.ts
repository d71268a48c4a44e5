import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { safeParse } from '../../server/contract/safe-parse.ts';
import type { ApiRequests } from '../requests/api-request.ts';
import { addressIn } from './address-in.ts';
import type { RecentLink } from './tray.ts';

const listed = z.object({
  data: z.object({
    urls: z.array(
      z.object({ shorturl: z.string().max(8_192), title: z.string().max(2_000).nullable().optional() }),
    ),
  }),
});

/** Up to five of an instance's newest links; empty if it has none or does not respond. */
export async function recentLinks(
  requests: Pick<ApiRequests, 'send'>,
  instanceId: string,
): Promise<RecentLink[]> {
  const reply = await requests.send(instanceId, randomUUID(), { method: 'GET', path: '/api/urls?limit=5' });
  const parsed = 'unreachable' in reply ? undefined : safeParse(listed, reply.body);
  if (!parsed?.success) return [];
  return parsed.data.data.urls
    .slice(0, 5)
    .flatMap(({ shorturl, title }) => (addressIn(shorturl) ? [{ shorturl, title: title ?? '' }] : []));
}
