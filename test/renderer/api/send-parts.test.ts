import { describe, expect, it, vi } from 'vitest';
import type { ApiReply, Desktop, Unreachable } from '../../../preload/contract.ts';
import { sendParts } from '../../../renderer/api/send-parts.ts';

const ok: ApiReply = { status: 200, headers: {}, body: { error: 0, id: 1 } };

/** The desktop's end, which takes so many parts and answers then. */
function desktopThat(wants = Number.POSITIVE_INFINITY, answer: ApiReply | Unreachable = ok) {
  const parts: Uint8Array[] = [];
  const uploads = {
    begin: vi.fn<Desktop['uploads']['begin']>(async () => {}),
    part: vi.fn<Desktop['uploads']['part']>(async (_id, bytes) => parts.push(bytes) < wants),
    end: vi.fn<Desktop['uploads']['end']>(async () => answer),
    cancel: vi.fn<Desktop['uploads']['cancel']>(),
  };
  return { uploads, parts };
}

function send(uploads: Desktop['uploads'], file: Blob, signal = new AbortController().signal) {
  const fractions: number[] = [];
  const onProgress = (fraction: number) => void fractions.push(fraction);
  const path = '/api/files/upload/a.bin';
  return {
    reply: sendParts({ uploads, to: { instanceId: 'work', account: 7 }, path, file, onProgress, signal }),
    fractions,
  };
}

const file = new Blob([new Uint8Array(1_200_000).map((_, index) => index % 251)]);

describe('a file in parts', () => {
  it('is sent in order, each part after the one before, and tells how far it is', async () => {
    const { uploads, parts } = desktopThat();
    const { reply, fractions } = send(uploads, file);
    expect(await reply).toEqual(ok);
    const [instance, id, path, size, account] = uploads.begin.mock.calls[0] ?? [];
    expect([instance, path, size, account]).toEqual(['work', '/api/files/upload/a.bin', 1_200_000, 7]);
    expect(parts.map((part) => part.byteLength)).toEqual([524_288, 524_288, 151_424]);
    expect(new Blob(parts as BlobPart[]).size).toBe(file.size);
    expect(parts[1]?.[0]).toBe(524_288 % 251);
    expect(uploads.end).toHaveBeenCalledWith(id);
    expect(fractions).toHaveLength(3);
    expect(fractions.at(-1)).toBe(1);
  });

  it('that is empty is sent, so that the server can say what is wrong with it', async () => {
    const { uploads, parts } = desktopThat();
    expect(await send(uploads, new Blob([])).reply).toEqual(ok);
    expect(parts).toEqual([]);
    expect(uploads.begin.mock.calls[0]?.[3]).toBe(0);
  });

  it('stops when the answer is there before its end', async () => {
    const refusal = { status: 413, headers: {}, body: { error: 1 } };
    const { uploads, parts } = desktopThat(1, refusal);
    expect(await send(uploads, file).reply).toEqual(refusal);
    expect(parts).toHaveLength(1);
  });

  it('ends with an AbortError when it is given up, and the main process is told', async () => {
    const stop = new AbortController();
    const { uploads } = desktopThat();
    uploads.part.mockImplementation(async () => {
      stop.abort();
      return true;
    });
    await expect(send(uploads, file, stop.signal).reply).rejects.toMatchObject({ name: 'AbortError' });
    expect(uploads.cancel).toHaveBeenCalled();
    expect(uploads.part).toHaveBeenCalledTimes(1);
    const none = desktopThat();
    await expect(send(none.uploads, file, stop.signal).reply).rejects.toMatchObject({ name: 'AbortError' });
    expect(none.uploads.begin).not.toHaveBeenCalled();
  });

  it('is unreachable without an answer, and refused when it cannot be read any more', async () => {
    const { uploads } = desktopThat(9, { unreachable: 'offline', message: 'No.' });
    await expect(send(uploads, file).reply).rejects.toMatchObject({ kind: 'unreachable', code: 'offline' });
    const gone = { size: 5, slice: () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) }) };
    const other = desktopThat();
    await expect(send(other.uploads, gone as unknown as Blob).reply).rejects.toMatchObject({
      kind: 'refused',
    });
    expect(other.uploads.cancel).toHaveBeenCalled();
  });
});
