import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

export interface DecodeRequest {
  id: number;
  png: Uint8Array;
}

export type DecodeReply = { id: number; text: string | null } | { id: number; error: string };

let prepared: Promise<unknown> | undefined;

/** Neither inverted nor turned codes are tried: many scanners do not read those either. */
async function decode(png: Uint8Array): Promise<string | null> {
  prepared ??= prepare();
  await prepared;
  const [found] = await readBarcodes(png, {
    formats: ['QRCode'],
    tryHarder: true,
    tryInvert: false,
    tryRotate: false,

    maxNumberOfSymbols: 1,
  });
  return found?.isValid ? found.text : null;
}

/** The library would fetch its program from the network. */
async function prepare(): Promise<unknown> {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  const program = await readFile(file);
  const wasmBinary = program.buffer.slice(program.byteOffset, program.byteOffset + program.length);
  return prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
}

parentPort?.on('message', async ({ id, png }: DecodeRequest) => {
  let reply: DecodeReply;
  try {
    reply = { id, text: await decode(png) };
  } catch (error) {
    reply = { id, error: (error as Error).message };
  }
  parentPort?.postMessage(reply);
});
