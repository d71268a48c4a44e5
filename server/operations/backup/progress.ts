import type { BackupKind } from './manifest.ts';

/** The phase of a backup or restore. */
const phases = ['copying', 'packing', 'checking', 'unpacking', 'saving', 'restarting'] as const;
export type Phase = (typeof phases)[number];

/** Called with the phase and its progress, from 0 to 1. */
export type OnProgress = (phase: Phase, fraction: number) => void;

/** A backup or a restore that is under way. */
export interface RunningTask {
  id: number;
  task: 'backup' | 'restore';
  kind: BackupKind;
  phase: Phase;
  progress: number;
  startedAt: number;
}

export interface TaskFailure {
  id: number;
  task: RunningTask['task'];
  code: string;
  message: string;
  at: number;
}
