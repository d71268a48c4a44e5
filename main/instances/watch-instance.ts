import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Unsubscribe } from '../../preload/contract.ts';
import { safeParse } from '../../server/contract/safe-parse.ts';
import type { ApiRequests } from '../requests/api-request.ts';
import type { LiveEvents } from '../requests/live-events.ts';
import type { Notice } from '../shell/notify.ts';

interface WatchOptions {
  instanceId: string;
  events: LiveEvents;
  requests: Pick<ApiRequests, 'send'>;
  notify: (notice: Notice) => void;
}

const changed = z.object({ type: z.literal('changed'), resource: z.string() });
const domainList = z.object({
  data: z.object({
    domains: z.array(
      z.object({
        id: z.number().nullable(),
        domain: z.string(),
        dns_status: z.number().optional(),
        ssl_status: z.number().optional(),
      }),
    ),
  }),
});
const auditList = z.object({
  data: z.object({
    audit: z.array(
      z.object({
        id: z.number(),
        action: z.string(),
        address: z.string(),
        actor: z.object({ username: z.string() }).nullable(),
      }),
    ),
  }),
});

/** Audit log actions that trigger a notification, with their titles. */
const security: ReadonlyMap<string, string> = new Map([
  ['session.refused', 'Failed sign-in'],
  ['twofactor.disabled', 'Two-factor authentication was turned off'],
  ['twofactor.recovery_used', 'A recovery code was used to sign in'],
  ['key.rotated', 'The API key was regenerated'],
  ['account.password', 'A password was changed'],
  ['account.email', 'An email address was changed'],
]);

type Domains = Map<number, { host: string; dns: boolean; certificate: boolean }>;

/**
 * Notifies about an instance's domains and security events, using its live stream. Only events after the start are
 * reported. Returns a function that stops watching.
 */
export function watchInstance({ instanceId, events, requests, notify }: WatchOptions): Unsubscribe {
  let domains: Domains | undefined;
  let lastAudit: number | undefined;
  /** Serializes requests, so that a stale response cannot overwrite a newer one. */
  let looking = Promise.resolve();

  async function read<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
  ): Promise<z.output<Schema> | undefined> {
    const reply = await requests.send(instanceId, randomUUID(), { method: 'GET', path });
    return 'unreachable' in reply ? undefined : safeParse(schema, reply.body).data;
  }

  async function lookAtDomains(): Promise<void> {
    const list = await read('/api/domains?limit=100', domainList);
    if (!list) return;
    const now: Domains = new Map();
    for (const { id, domain, dns_status, ssl_status } of list.data.domains) {
      if (id !== null)
        now.set(id, {
          host: domain.replace(/^https?:\/\//, ''),
          dns: dns_status !== 0,
          certificate: ssl_status === 1,
        });
    }
    for (const [id, { host, dns, certificate }] of now) {
      const before = domains?.get(id);
      if (!before) continue;
      if (before.dns && !dns)
        notify({
          title: `${host} does not lead here any more`,
          body: 'Its DNS record changed or is missing. Open its page for details.',
        });
      if (!before.dns && dns) notify({ title: `${host} leads here again`, body: 'Its DNS record is right.' });
      if (!before.certificate && certificate)
        notify({ title: `${host} is served over HTTPS`, body: 'Its certificate was issued.' });
      if (before.certificate && !certificate)
        notify({ title: `${host} lost its certificate`, body: 'Open its page to see why.' });
    }
    domains = now;
  }

  async function lookAtAudit(): Promise<void> {
    const list = await read('/api/audit?limit=20', auditList);
    if (!list) return;
    const entries = list.data.audit;
    if (lastAudit !== undefined) {
      for (const { id, action, address, actor } of entries.toReversed()) {
        const title = security.get(action);
        if (id > lastAudit && title)
          notify({ title, body: [actor?.username, address].filter(Boolean).join(' · ') });
      }
    }
    lastAudit = Math.max(lastAudit ?? 0, ...entries.map(({ id }) => id));
  }

  const look = (work: () => Promise<void>) => {
    looking = looking.then(work, work);
  };

  return events.follow(instanceId, (document) => {
    const told = safeParse(z.object({ type: z.string() }), document);
    if (told.data?.type === 'hello') {
      // The stream connected or reconnected: take the current state as the baseline.
      if (!domains) look(lookAtDomains);
      if (lastAudit === undefined) look(lookAtAudit);
    }
    const { data } = safeParse(changed, document);
    if (data?.resource === 'domains') look(lookAtDomains);
    if (data?.resource === 'audit') look(lookAtAudit);
  });
}
