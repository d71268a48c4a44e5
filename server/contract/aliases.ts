import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { acknowledged, domainReference } from './envelope.ts';

/** How aliases are generated: random characters, or words. */
export const aliasStyles = ['random', 'words'] as const;

const settings = {
  style: z.enum(aliasStyles),
  length: z.number().int().min(3, 'Use 3 to 32 characters.').max(32, 'Use 3 to 32 characters.'),
  alphabet: z
    .string()
    .regex(
      /^(?!.*(.).*\1)[A-Za-z0-9_-]{10,64}$/,
      'Use 10 to 64 different letters, digits, dashes or underscores.',
    ),
  prefix: z.string().regex(/^[A-Za-z0-9_-]{0,20}$/, 'Use at most 20 letters, digits, dashes or underscores.'),
};
const nullable = {
  style: settings.style.nullable(),
  length: settings.length.nullable(),
  alphabet: settings.alphabet.nullable(),
  prefix: settings.prefix.nullable(),
};

/** Settings for new aliases of an account. */
export const aliasSettings = z.object(settings);
export type AliasSettings = z.output<typeof aliasSettings>;

/** Per-domain overrides; null inherits the account's setting. */
export const domainAliasSettings = z.object({ ...nullable, slashes: z.boolean() });
export type DomainAliasSettings = z.output<typeof domainAliasSettings>;

export const getAliasSettings = endpoint({
  method: 'GET',
  path: '/api/account/aliases',
  summary: 'Get how random aliases of new links are generated.',
  scope: 'links',
  acts: 'see',
  reply: z.object({ data: aliasSettings }),
});

export const updateAliasSettings = endpoint({
  method: 'PUT',
  path: '/api/account/aliases',
  summary: 'Change how random aliases of new links are generated; null restores the default.',
  scope: 'links',
  acts: 'manage',
  body: z.object(nullable).partial(),
  reply: z.object({ ...acknowledged.shape, data: aliasSettings }),
});

export const getDomainAliasSettings = endpoint({
  method: 'GET',
  path: '/api/domain/:id/aliases',
  summary: 'Get the alias settings of a domain; null means the account setting.',
  scope: 'domains',
  reply: z.object({ data: domainAliasSettings }),
});

export const updateDomainAliasSettings = endpoint({
  method: 'PUT',
  path: '/api/domain/:id/aliases',
  summary: 'Change how aliases on a domain are generated, and whether they may contain slashes.',
  scope: 'domains',
  body: z.object({ ...nullable, slashes: z.boolean() }).partial(),
  reply: z.object({ ...acknowledged.shape, data: domainAliasSettings }),
});

/** Maximum number of aliases per response. */
export const mostSuggestions = 6;

export const suggestAliases = endpoint({
  method: 'POST',
  path: '/api/url/suggest',
  summary: 'Suggest free aliases from a destination and a title. Nothing is looked up elsewhere.',
  scope: 'links',
  reads: true,
  body: z.object({
    url: z.string().min(1, 'Enter the URL to shorten.').max(8192, 'Use a URL of at most 8192 characters.'),
    title: z.string().max(255).nullable().optional(),
    domain: domainReference.nullable().optional(),
  }),
  reply: z.object({ data: z.array(z.string()) }),
});
