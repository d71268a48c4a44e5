import { z } from 'zod';
import { permissions } from './account.ts';
import { endpoint } from './endpoint.ts';
import { acknowledged, alwaysSent, timestampInput } from './envelope.ts';
import { plainLine } from './sessions.ts';
import { edited, versioned } from './versions.ts';

/** A limit of a plan; -1 is unlimited. */
const count = z.number().int().min(-1, 'Use -1 for unlimited.').max(1_000_000_000);
const counted = z.object({ enabled: z.boolean(), count });
const plain = z.object({ enabled: z.boolean() });

const limits = z.object({
  links: count,
  clicks: count,
  /** Days that clicks are kept. */
  retention: count,
  files: count,
  /** Storage for an account's files and images, in megabytes (10^6 bytes); absent is unlimited. */
  megabytes: alwaysSent(count),
});

/** A plan's features, some with a limit (decision 0010). */
const features = z.object({
  bio: counted,
  domain: counted,
  splash: counted,
  overlay: counted,
  pixels: counted,
  geo: plain,
  device: plain,
  export: plain,
  api: plain,
  team: counted,
});

export const plan = z.object({
  id: z.number().int(),
  name: z.string(),
  free: z.boolean(),
  permissions,
  limits,
  features,
  /** Number of accounts on it. */
  users: z.number().int(),
  ...versioned,
});
export type PlanShown = z.output<typeof plan>;

const partialFeatures = z.object({
  bio: counted.partial(),
  domain: counted.partial(),
  splash: counted.partial(),
  overlay: counted.partial(),
  pixels: counted.partial(),
  geo: plain.partial(),
  device: plain.partial(),
  export: plain.partial(),
  api: plain.partial(),
  team: counted.partial(),
});

const name = plainLine(60).pipe(z.string().min(1, 'Enter a name for the plan.'));

/** Omitted fields are unlimited on a new plan, and unchanged on an existing one. */
const planFields = {
  free: z.boolean().optional(),
  permissions: permissions.partial().optional(),
  limits: limits.partial().optional(),
  features: partialFeatures.partial().optional(),
};
export const planChange = z.object({ name: name.optional(), ...planFields });
export type PlanChange = z.output<typeof planChange>;

export const listPlans = endpoint({
  method: 'GET',
  path: '/api/plans',
  summary: 'List all plans.',
  access: 'admin',
  scope: 'users',
  reply: z.object({ data: z.array(plan) }),
});

export const addPlan = endpoint({
  method: 'POST',
  path: '/api/plan/add',
  summary: 'Create a plan; omitted fields default to unlimited.',
  access: 'admin',
  scope: 'users',
  body: z.object({ name, ...planFields }),
  reply: z.object({ message: z.string(), data: plan }),
});

export const updatePlan = endpoint({
  method: 'PUT',
  path: '/api/plan/:id/update',
  summary: 'Update a plan; omitted fields are unchanged.',
  access: 'admin',
  scope: 'users',
  body: planChange,
  reply: z.object({ ...edited.shape, data: plan }),
});

export const deletePlan = endpoint({
  method: 'DELETE',
  path: '/api/plan/:id/delete',
  summary: 'Delete an unused plan.',
  access: 'admin',
  scope: 'users',
  reply: acknowledged,
});

/** `type` is the duration: a month, a year or unlimited; `expiration` is an exact time and takes precedence. */
export const assignPlan = endpoint({
  method: 'PUT',
  path: '/api/plan/:planid/user/:userid',
  summary: "Change an account's plan.",
  access: 'admin',
  scope: 'users',
  body: z.object({
    type: z.enum(['monthly', 'yearly', 'lifetime']).optional(),
    expiration: timestampInput.nullable().optional(),
  }),
  bodyOptional: true,
  reply: acknowledged,
});
