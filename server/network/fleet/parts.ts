import { randomUUID } from 'node:crypto';
import type { MsgHdrs } from '@nats-io/transport-node';
import type { Engine } from './engine.ts';
import type { FleetSubjects } from './subjects.ts';

/** Bytes of one message: below the limit that engines come with. */
const partBytes = 512 * 1024;
/** The maximum size of a reassembled unit. */
const mostParts = 2_000;

/** The headers of each message in the change stream, readable without the fleet's key. */
export interface ChangeMark {
  kind: 'unit' | 'check';
  epoch: number;
  branch: string;
  /** The resulting position. */
  to: number;
  part: number;
  parts: number;
}

const names = {
  kind: 'Waypost-Kind',
  epoch: 'Waypost-Epoch',
  branch: 'Waypost-Branch',
  to: 'Waypost-Position',
  part: 'Waypost-Part',
  parts: 'Waypost-Parts',
} as const;

/**
 * Publishes an encrypted body in as many messages as necessary, in order, and waits until the engine has each of them.
 * The engine drops a second unit at the same position, as headers detect.
 */
export async function publishParts(
  engine: Engine,
  { subject }: FleetSubjects['changes'],
  body: Uint8Array,
  mark: Omit<ChangeMark, 'part' | 'parts'>,
): Promise<void> {
  const { headers } = await import('@nats-io/transport-node');
  const parts = Math.max(1, Math.ceil(body.length / partBytes));
  const { kind, epoch, branch, to } = mark;
  const id = kind === 'unit' ? `unit ${epoch} ${branch} ${to}` : `check ${randomUUID()}`;
  for (let part = 0; part < parts; part += 1) {
    const carried = headers();
    for (const [name, header] of Object.entries(names)) {
      carried.set(header, String({ ...mark, part, parts }[name as keyof typeof names]));
    }
    await engine.streams.publish(subject, body.subarray(part * partBytes, (part + 1) * partBytes), {
      msgID: `${id} ${part}`,
      headers: carried,
    });
  }
}

/** The header of a message; undefined if it has none. */
export function readMark(carried: MsgHdrs | undefined): ChangeMark | undefined {
  const kind = carried?.get(names.kind);
  const number = (name: 'epoch' | 'to' | 'part' | 'parts') => {
    const text = carried?.get(names[name]) ?? '';
    return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  };
  const [epoch, to, part, parts] = [number('epoch'), number('to'), number('part'), number('parts')];
  if (kind !== 'unit' && kind !== 'check') return undefined;
  if (epoch === undefined || to === undefined || part === undefined || parts === undefined) return undefined;
  if (parts < 1 || parts > mostParts || part >= parts) return undefined;
  return { kind, epoch, to, part, parts, branch: carried?.get(names.branch) ?? '' };
}

/** Puts the parts of messages together again; parts that do not follow each other are dropped. */
export function partCollector() {
  let parts: Uint8Array[] = [];
  let begun = '';
  return {
    /** The whole body, once its last part is here. */
    add(
      { kind, epoch, branch, to, part, parts: total }: ChangeMark,
      bytes: Uint8Array,
    ): Uint8Array | undefined {
      const name = `${kind} ${epoch} ${branch} ${to} ${total}`;
      if (part === 0) {
        parts = [];
        begun = name;
      }
      if (name !== begun || parts.length !== part) {
        parts = [];
        begun = '';
        return undefined;
      }
      parts.push(bytes);
      if (parts.length < total) return undefined;
      const whole = Buffer.concat(parts);
      parts = [];
      begun = '';
      return whole;
    },
  };
}
