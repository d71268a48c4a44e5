import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import jsqr from 'jsqr';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { answerQuestions } from '../../platform/concurrency/worker-call.ts';
import type { DecoderQuestion } from './decoder.ts';

let prepared: Promise<unknown> | undefined;

async function decode(question: DecoderQuestion): Promise<string | undefined> {
  if (question.reader === 'jsqr') {
    const { pixels, width, height } = question;
    const found = jsqr(new Uint8ClampedArray(pixels), width, height, { inversionAttempts: 'attemptBoth' });
    // Bytes, because it guesses at the character set.
    return found ? Buffer.from(found.binaryData).toString('utf8') : undefined;
  }
  prepared ??= prepare();
  await prepared;
  const [found] = await readBarcodes(question.png, {
    formats: ['QRCode'],
    tryHarder: true,
    tryInvert: question.inverted,
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
