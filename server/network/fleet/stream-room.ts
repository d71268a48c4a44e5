import type { StreamConfig } from '@nats-io/jetstream';
import { asFailure, type Engine } from './engine.ts';

type Manager = Engine['manager'];

/** How often engines that choose who leads what was just made are asked to make it. */
const mostTries = 3;

/**
 * Makes what is to lie on all three engines of a cluster, also while one of them is away: what lies on one only, the
 * others may lay on that, and never have. Where there are no three, it lies on one.
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

/**
 * Makes a stream, as large as there is room for; false where that is less than wanted. Throws where it is next to
 * nothing.
 */
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
 * Has contents of files set aside no more than they take, so that there is room for something else; what this returns
 * gives back as much of it as is left. Undefined where they have nothing to spare.
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
