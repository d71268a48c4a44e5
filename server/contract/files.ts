import { z } from 'zod';
import { composed } from './composed.ts';
import { editInfo, memberFilter } from './edit-info.ts';
import { endpoint } from './endpoint.ts';
import { acknowledged, alwaysSent, day, domainReference, pageCounts, paging, timestamp } from './envelope.ts';
import { plainLine } from './sessions.ts';
import { edited } from './versions.ts';

/** Ours: the file's current state. */
export const fileState = z.enum(['active', 'expired', 'exhausted']);

/** Contract, "File"; everything after `date` is ours and missing from other servers. */
export const file = z.object({
  id: z.number().int(),
  name: z.string(),
  downloads: z.number().int(),
  shorturl: z.string(),
  date: timestamp,
  /** The file name of downloads. */
  filename: alwaysSent(z.string()),
  /** Bytes. */
  size: alwaysSent(z.number().int()),
  alias: alwaysSent(z.string()),
  domain: alwaysSent(z.string()),
  protected: alwaysSent(z.boolean()),
  /** The last day it can be downloaded, in the account's time zone. */
  expiry: alwaysSent(z.string().nullable()),
  maxdownloads: alwaysSent(z.number().int().nullable()),
  state: alwaysSent(fileState),
  ...editInfo,
});
export type File = z.output<typeof file>;

const name = plainLine(255);
const alias = z.string().max(400);
const password = z.string().max(1024);
const atLeastOne = 'Allow at least one download.';

/** Contract, "Upload query parameters"; all are strings. */
const uploadQuery = z.object({
  name: name.optional(),
  custom: alias.optional(),
  domain: z.string().max(300).optional(),
  password: password.optional(),
  expiry: z.union([day, z.literal('')]).optional(),
  maxdownloads: z
    .union([
      z
        .string()
        .regex(/^\d{1,9}$/, 'Send a whole number.')
        .transform(Number)
        .pipe(z.number().min(1, atLeastOne)),
      z.number().int().min(1, atLeastOne),
      z.literal(''),
    ])
    .optional(),
});
export type UploadQuery = z.output<typeof uploadQuery>;

/** All updatable fields; null or an empty string clears a field. */
const fileChange = z
  .object({
    name: name.pipe(z.string().min(1, 'Enter a name.')),
    custom: alias.nullable(),
    domain: domainReference.nullable(),
    password: password.nullable(),
    expiry: z.union([day, z.literal('')]).nullable(),
    maxdownloads: z.number().int().min(1, atLeastOne).max(999_999_999).nullable(),
  })
  .partial();
export type FileChange = z.output<typeof fileChange>;

export const listFiles = endpoint({
  method: 'GET',
  path: '/api/files',
  summary: 'List files, newest first; `name` searches by name.',
  scope: 'files',
  query: z.object({
    ...memberFilter,
    ...paging,
    name: z
      .string()
      .transform((text) => composed(text).trim())
      .pipe(z.string().max(100, 'Search for at most 100 characters.'))
      .optional(),
  }),
  // The only list without a `data` wrapper (contract, "Pagination envelope").
  reply: z.object({ ...pageCounts, list: z.array(file) }),
});

/** The account's storage in bytes; `limit` is the plan's quota, null if unlimited. */
export const getStorage = endpoint({
  method: 'GET',
  path: '/api/files/storage',
  summary: "Get the storage used by the account's files and pictures, and the plan's limit.",
  scope: 'files',
  reply: z.object({
    data: z.object({
      files: z.number().int(),
      pictures: z.number().int(),
      limit: z.number().int().nullable(),
    }),
  }),
});
export type StorageUsage = z.output<typeof getStorage.reply>['data'];

export const uploadFile = endpoint({
  method: 'POST',
  path: '/api/files/upload/:filename',
  summary: 'Upload a file; the body is its content.',
  scope: 'files',
  params: { filename: z.string() },
  rawBody: true,
  query: uploadQuery,
  reply: z.object({ id: z.number().int(), shorturl: z.string() }),
});

export const getFile = endpoint({
  method: 'GET',
  path: '/api/file/:id',
  summary: 'Get a file.',
  scope: 'files',
  reply: z.object({ data: file }),
});

export const updateFile = endpoint({
  method: 'PUT',
  path: '/api/file/:id/update',
  summary: 'Update the name, URL, password, expiry or download limit of a file.',
  scope: 'files',
  body: fileChange,
  reply: z.object({ ...edited.shape, data: file }),
});

export const deleteFile = endpoint({
  method: 'DELETE',
  path: '/api/file/:id/delete',
  summary: 'Permanently delete a file and its content.',
  scope: 'files',
  reply: acknowledged,
});
