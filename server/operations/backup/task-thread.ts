import { rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { syncTree } from '../../platform/database/disk.ts';
import { createBackup } from './create.ts';
import { BackupRefused } from './refused.ts';
import { keysFit, openHead, stageBackup, unpackAndCheck } from './stage.ts';
import { factsOf } from './store.ts';
import type { Task, TaskMessage } from './task.ts';

const say = (message: TaskMessage) => parentPort?.postMessage(message);

let told = '';
/** A hundred steps a phase are enough for anybody. */
function onProgress(phase: Parameters<Parameters<typeof createBackup>[1]>[0], fraction: number): void {
  const step = `${phase} ${Math.floor(fraction * 100)}`;
  if (step === told) return;
  told = step;
  say({ type: 'progress', phase, fraction });
}

async function run(task: Task): Promise<unknown> {
  switch (task.name) {
    case 'create':
      // What crosses to a thread is a plain array of bytes.
      return factsOf(
        await createBackup({ ...task.request, vaultKey: bytesOf(task.request.vaultKey) }, onProgress),
      );
    case 'check': {
      const { request } = task;
      rmSync(request.target, { recursive: true, force: true });
      try {
        if (task.passphrase !== undefined) await openHead(request.file, task.passphrase);
        await unpackAndCheck(request, 'checking', onProgress);
        return undefined;
      } finally {
        rmSync(request.target, { recursive: true, force: true });
      }
    }
    case 'look': {
      const request = { ...task.request, vaultKey: bytesOf(task.request.vaultKey) };
      const { head, secrets } = await openHead(request.file, request.passphrase);
      return { facts: factsOf(head), hasKeys: keysFit(head, secrets, request) };
    }
    case 'stage': {
      const request = { ...task.request, vaultKey: bytesOf(task.request.vaultKey) };
      const { changesKey } = await stageBackup(request, onProgress);
      // Here and not in the main thread, where redirects would wait for the disk.
      syncTree(request.target);
      return { changesKey };
    }
  }
}

function bytesOf(key: Uint8Array | undefined): Buffer | undefined {
  return key && Buffer.from(key);
}

run(workerData as Task).then(
  (result) => say({ type: 'done', result }),
  (error: Error) => {
    const code = error instanceof BackupRefused ? error.code : undefined;
    say({ type: 'failed', code, message: error.message, stack: error.stack });
  },
);
