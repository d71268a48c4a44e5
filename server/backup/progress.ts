/** What a backup or a restore is at. */
export const phases = ['copying', 'packing', 'checking', 'unpacking', 'saving', 'restarting'] as const;
export type Phase = (typeof phases)[number];

/** Told of the phase and how much of it is done, from 0 to 1. */
export type OnProgress = (phase: Phase, fraction: number) => void;
