import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { edgeCertificates } from '../../../server/network/fleet/edge-certificates.ts';
import { fleetSeal } from '../../../server/network/fleet/seal.ts';
import { fleetSubjects } from '../../../server/network/fleet/subjects.ts';
import { selfSigned } from '../../support/certificates.ts';

const seal = fleetSeal(Buffer.alloc(32, 1));
const host = 'brand.test';
const subject = fleetSubjects.state.certificate(host);
let folder: string;
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-edge-'));
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => {
  const log = { warn: (...said: unknown[]) => void lines.push(String(said.at(-1))) };
  return edgeCertificates({ folder, seal, session: () => undefined, now: Date.now, log });
};

async function sealedPair(): Promise<Uint8Array> {
  const { key, certificate } = await selfSigned({ names: [host] });
  return seal.seal(JSON.stringify({ host, pair: { key, chain: certificate } }), subject);
}

test('a certificate that cannot be stored on the disk is still presented', async () => {
  const certificates = open();
  // No file can be made below a file, whoever asks: as on a disk that is full.
  rmSync(join(folder, 'certificates'), { recursive: true });
  writeFileSync(join(folder, 'certificates'), '');
  certificates.take(subject, await sealedPair());
  expect(certificates.serves(host)).toBe(true);
  expect(lines.join()).toContain('could not be stored');
});

test("a certificate survives a restart, and another fleet's message removes nothing", async () => {
  open().take(subject, await sealedPair());
  const certificates = open();
  expect(certificates.contextFor('BRAND.test')).toBeDefined();
  const foreign = fleetSeal(Buffer.alloc(32, 2)).seal(JSON.stringify({ host, pair: null }), subject);
  certificates.take(subject, foreign);
  expect(certificates.serves(host)).toBe(true);
  expect(open().serves(host)).toBe(true);
  certificates.take(subject, seal.seal(JSON.stringify({ host: '', pair: null }), subject));
  expect(certificates.serves(host)).toBe(false);
  expect(open().serves(host)).toBe(false);
});
