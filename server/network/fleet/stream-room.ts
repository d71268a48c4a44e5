import type { StreamConfig } from '@nats-io/jetstream';
import { asFailure, type Engine } from './engine.ts';

type Manager = Engine['manager'];

/** How often creation is retried while a cluster elects a leader. */
const mostTries = 3;

/**
 * Creates replicated streams on all three servers of a cluster, even while one is down: other clients could otherwise
 * place them on one server permanently. Without a cluster, it is on one server.
 */
export async function makeCopies<Made>(
  { info }: Engine['connection'],
  make: (num_replicas: 1 | 3) => Promise<Made>,
): Promise<Made> {
  if (info?.cluster === undefined) return await make(1);
  for (let tries = 1; ; tries += 1) {
    try {
      return await make(3);
    } catch (error) {
      const { message } = error as Error;
      if (/peers|replicas/i.test(message) && !/insufficient|storage|resource/i.test(message))
        return await make(1);
      // The same once more is no second one.
      if (!/timeout/i.test(message) || tries === mostTries) throw error;
    }
  }
}

/** A bound below this is worth nothing. */
export const leastBound = 64 * 2 ** 20;

/** Has the engine do what sets room aside; false where it has no room for that. */
export async function hasRoomFor(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    if (asFailure(error, { url: '' }).reason !== 'no_room') throw error;
    return false;
  }
}

/** Creates a stream as large as possible; false if smaller than requested. Throws if there is next to no space. */
export async function makeStream(
  manager: Manager,
  config: Partial<StreamConfig> & { name: string },
): Promise<boolean> {
  const { max_bytes: wanted = 0 } = config;
  for (let bound = wanted; bound / 2 >= leastBound; bound = Math.floor(bound / 2)) {
    if (await hasRoomFor(() => manager.streams.add({ ...config, max_bytes: bound }))) return bound === wanted;
  }
  await manager.streams.add(config);
  return true;
}

/**
 * Shrinks the reservation of files to what they use, to make space for something else; the returned function gives
 * back what is left. Undefined if they have nothing to spare.
 */
export async function borrowRoom(
  manager: Manager,
  stream: string,
): Promise<(() => Promise<void>) | undefined> {
  const found = await manager.streams.info(stream).catch(() => undefined);
  if (!found) return undefined;
  const before = found.config.max_bytes;
  const least = Math.max(found.state.bytes, leastBound);
  if (before <= least) return undefined;
  await manager.streams.update(stream, { max_bytes: least });
  return async () => {
    for (let bound = before; bound > least; bound = Math.floor(bound / 2)) {
      if (await hasRoomFor(() => manager.streams.update(stream, { max_bytes: bound }))) return;
    }
  };
}
