import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One run of wrk against one server. */
export interface Run {
  requests: number;
  seconds: number;
  /** Answers a second. */
  rate: number;
  p50: string;
  p99: string;
  /** Responses that were not redirects, and broken connections. */
  errors: number;
  /** CPU microseconds of the server per response; undefined without /proc. */
  cost: number | undefined;
}

const script = join(import.meta.dirname, 'redirects.lua');

/**
 * 64 connections from one thread, each with one request at a time. `paths` is a file of paths, and `visitors` says
 * whether they are requested by three browsers on this machine, or each by another visitor behind a proxy.
 */
export async function runWrk(
  port: number,
  pid: number,
  paths: string,
  seconds: number,
  visitors: 'three' | 'new' = 'three',
): Promise<Run> {
  const before = processorTime(pid);
  const output = await run('wrk', [
    '-t1',
    '-c64',
    `-d${seconds}s`,
    '--latency',
    '-s',
    script,
    `http://127.0.0.1:${port}`,
    '--',
    paths,
    visitors,
  ]);
  const after = processorTime(pid);
  const total = /(\d+) requests in ([\d.]+)s/.exec(output);
  const requests = Number(total?.[1] ?? 0);
  const took = Number(total?.[2] ?? seconds);
  const broken = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output);
  const unexpected = Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0);
  return {
    requests,
    seconds: took,
    rate: requests / took,
    p50: /^\s+50%\s+(\S+)/m.exec(output)?.[1] ?? '?',
    p99: /^\s+99%\s+(\S+)/m.exec(output)?.[1] ?? '?',
    errors: unexpected + (broken?.slice(1).reduce((sum, count) => sum + Number(count), 0) ?? 0),
    cost: before === undefined || after === undefined ? undefined : ((after - before) / requests) * 1e6,
  };
}

/** `38000/s at 22.5 µs`: the rate of a run, and what a response cost the server. */
export function describeRate({ rate, cost }: Run): string {
  return `${Math.round(rate)}/s${cost === undefined ? '' : ` at ${cost.toFixed(1)} µs`}`;
}

/** CPU seconds of a process. Other programs affect the wall clock, but hardly this. */
export function processorTime(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // Ticks of 10 ms in user and system mode (proc_pid_stat(5)).
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    // Not Linux.
    return undefined;
  }
}

/** Resident memory of a process in MB; undefined where there is no /proc. */
export function residentMemory(pid: number): number | undefined {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    // Not Linux.
    return undefined;
  }
}

function run(program: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${program} ended with ${code}`)),
    );
  });
}
