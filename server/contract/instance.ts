import { z } from 'zod';
import { endpoint } from './endpoint.ts';

/** What a client can find out about a server before it has a key (decisions, section 3). */
export const instanceMeta = z.object({
  name: z.string(),
  version: z.string(),
  contract: z.string(),
  features: z.array(z.string()),
  setup: z.boolean(),
});
export type InstanceMeta = z.output<typeof instanceMeta>;

export const getMeta = endpoint({
  method: 'GET',
  path: '/api/meta',
  summary: 'What this server is and can do.',
  access: 'public',
  reply: z.object({ data: instanceMeta }),
});

export const getHealth = endpoint({
  method: 'GET',
  path: '/api/health',
  summary: 'Whether the server is alive.',
  access: 'public',
  reply: z.object({}),
});

export const getOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'This interface as an OpenAPI 3.1 document.',
  access: 'public',
  reply: z.looseObject({ openapi: z.string() }),
});
