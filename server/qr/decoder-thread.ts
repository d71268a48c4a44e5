import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { answerQuestions } from '../thread.ts';

let prepared: Promise<unknown> | undefined;

/** Neither inverted nor turned codes are tried: many scanners do not read those either. */
async function decode(png: Uint8Array): Promise<string | undefined> {
  prepared ??= prepare();
  await prepared;
  const [found] = await readBarcodes(png, {
    formats: ['QRCode'],
    tryHarder: true,
    tryInvert: false,
    tryRotate: false,
    maxNumberOfSymbols: 1,
  });
  return found?.isValid ? found.text : undefined;
}

/** The library would fetch its program from the network. */
async function prepare(): Promise<unknown> {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  const program = await readFile(file);
  const wasmBinary = program.buffer.slice(program.byteOffset, program.byteOffset + program.length);
  return prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
}

answerQuestions(decode);
