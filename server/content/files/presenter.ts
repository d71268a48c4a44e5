import type { z } from 'zod';
import type { File, fileState } from '../../contract/files.ts';
import { presentDate, presentTimestamp } from '../../platform/http/timestamps.ts';
import { shortUrl } from '../../visits/redirects/short-url.ts';
import type { FileRow } from './queries.ts';

export interface PresentContext {
  timezone: string;
  baseUrl: string;
  now: number;
}

/** A file as its owner sees it (contract, "File"). */
export function presentFile(row: FileRow, { timezone, baseUrl, now }: PresentContext): File {
  return {
    id: row.id,
    name: row.name,
    downloads: row.downloads,
    shorturl: shortUrl(row, baseUrl),
    date: presentTimestamp(row.created_at, timezone),
    filename: row.filename,
    size: row.size,
    alias: row.alias,
    domain: row.host === null ? baseUrl : `https://${row.host}`,
    protected: row.password_hash !== null,
    expiry: row.expires_at === null ? null : presentDate(row.expires_at - 1, timezone),
    maxdownloads: row.max_downloads,
    state: stateOf(row, now),
  };
}

/** Whether a file can be downloaded at a given time, and if not, why. */
export function stateOf(
  row: Pick<FileRow, 'expires_at' | 'max_downloads' | 'downloads'>,
  now: number,
): z.output<typeof fileState> {
  if (row.expires_at !== null && row.expires_at <= now) return 'expired';
  if (row.max_downloads !== null && row.downloads >= row.max_downloads) return 'exhausted';
  return 'active';
}
