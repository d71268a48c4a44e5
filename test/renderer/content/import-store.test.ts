import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Call, installClient } from '../../../renderer/api/client.ts';
import { ApiFailure } from '../../../renderer/api/failure.ts';
import { useInstanceStore } from '../../../renderer/api/instance.ts';
import { useImportStore } from '../../../renderer/content/import/import-store.ts';
import type { ImportRow } from '../../../server/contract/import.ts';

interface Request {
  rows: ImportRow[];
  dryrun: boolean;
  conflict: string;
  planned?: { links: number; channels: number; campaigns: number };
}

let requests: Request[];
let taken: Set<string>;
/** What the server does on its nth real request, beside importing. */
let onImport: (nth: number) => void;

/** A server that takes every alias once. */
const server = (async (_endpoint: unknown, options: { body: Request }) => {
  const { body } = options;
  requests.push(body);
  if (!body.dryrun) onImport(requests.filter((request) => !request.dryrun).length);
  const rows = body.rows.map((row) => {
    if (taken.has(row.alias ?? '')) return { outcome: 'exists' };
    if (!body.dryrun) taken.add(row.alias ?? '');
    return { outcome: 'create' };
  });
  return { data: { rows, channels: ['news'], campaigns: ['Spring'] } };
}) as unknown as Call;

function fileOf(count: number): File {
  const lines = Array.from({ length: count }, (_, index) => `https://example.com/${index},a${index}`);
  return new File([`Long URL,Short code\n${lines.join('\n')}`], 'links.csv');
}

beforeEach(() => {
  setActivePinia(createPinia());
  installClient(server);
  requests = [];
  taken = new Set();
  onImport = () => {};
});

describe('importing a file', () => {
  it('does a dry run in batches and writes nothing until told to', async () => {
    const job = useImportStore();
    await job.open(fileOf(450));
    expect(job.phase).toBe('ready');
    expect(requests.map((request) => [request.rows.length, request.dryrun])).toEqual([
      [200, true],
      [200, true],
      [50, true],
    ]);
    expect(requests.map((request) => request.planned?.links)).toEqual([0, 200, 400]);
    expect(requests.at(-1)?.planned).toEqual({ links: 400, channels: 1, campaigns: 1 });
    expect(job.counts.create).toBe(450);
    expect([...job.channels]).toEqual(['news']);
    expect([...job.campaigns]).toEqual(['Spring']);
  });

  it('imports everything once', async () => {
    const job = useImportStore();
    await job.open(fileOf(450));
    await job.start();
    expect(job.phase).toBe('done');
    expect(job.counts.create).toBe(450);
    expect(taken.size).toBe(450);
  });

  it('continues in the account in which it began, whichever is shown meanwhile', async () => {
    const accounts: (number | undefined)[] = [];
    const at = ({ account }: { account?: number | undefined }) =>
      ((endpoint, ...rest) => {
        accounts.push(account);
        return server(endpoint, ...rest);
      }) as Call;
    installClient(server, at);
    const instance = useInstanceStore();
    onImport = () => instance.actFor(7);
    const job = useImportStore();
    await job.open(fileOf(450));
    await job.start();
    expect(accounts).toEqual([undefined, undefined, undefined]);
    expect(taken.size).toBe(450);
    // Its rows are no business of the account that is shown now.
    expect(job.phase).toBe('choose');
  });

  it('stops on an error, says why, and continues without loss', async () => {
    onImport = (nth) => {
      if (nth === 2) throw new ApiFailure('refused', 'The disk is full.', { status: 507 });
    };
    const job = useImportStore();
    await job.open(fileOf(450));
    await job.start();
    expect(job.phase).toBe('stopped');
    expect(job.failure).toBe('The disk is full.');
    expect(job.finished).toBe(200);
    await job.start();
    expect(job.phase).toBe('done');
    expect(job.counts.create).toBe(450);
  });

  it('sends a row again with its token, and with a new one in another import', async () => {
    onImport = (nth) => {
      if (nth === 2) throw new ApiFailure('unreachable', 'The connection was lost.', {});
    };
    const job = useImportStore();
    await job.open(fileOf(250));
    await job.start();
    await job.start();
    const tokensOf = (request: Request | undefined) => request?.rows.map(({ token }) => token);
    const [first, lost, again] = requests.filter(({ dryrun }) => !dryrun).map(tokensOf);
    expect(new Set([...(first ?? []), ...(lost ?? [])]).size).toBe(250);
    expect(again).toEqual(lost);
    await job.open(fileOf(250));
    await job.start();
    expect(tokensOf(requests.at(-1))).not.toEqual(lost);
  });

  it('keeps what is done when cancelled, and continues from there', async () => {
    const job = useImportStore();
    onImport = (nth) => {
      if (nth === 1) job.cancel();
    };
    await job.open(fileOf(450));
    await job.start();
    expect(job.phase).toBe('stopped');
    expect(job.finished).toBe(200);
    await job.start();
    expect(job.phase).toBe('done');
    expect(taken.size).toBe(450);
  });

  it('repeats the dry run when the conflict option changes', async () => {
    const job = useImportStore();
    await job.open(fileOf(3));
    job.conflict = 'rename';
    await job.check();
    expect(requests.at(-1)?.conflict).toBe('rename');
    expect(job.phase).toBe('ready');
  });

  it('asks for columns that a file does not name', async () => {
    const job = useImportStore();
    await job.open(new File(['here;there\nhttps://a.example;x'], 'links.csv'));
    expect(job.phase).toBe('mapping');
    expect(requests).toHaveLength(0);
    job.mapping = { url: 0, alias: 1 };
    await job.check();
    expect(job.phase).toBe('ready');
  });

  it('refuses an empty file and one that is not text', async () => {
    const job = useImportStore();
    await job.open(new File([''], 'links.csv'));
    expect([job.phase, job.failure]).toEqual(['choose', 'empty']);
    await job.open(new File([new Uint8Array([0x89, 0x50, 0, 1, 2, 3])], 'photo.png'));
    expect([job.phase, job.failure]).toEqual(['choose', 'not_text']);
  });
});
