import type { AnyEndpoint } from '../../server/contract/endpoint.ts';

const modules = import.meta.glob<Record<string, unknown>>('../../server/contract/*.ts', { eager: true });

/** Every endpoint of the contract, as its modules export them. */
export const endpoints: readonly AnyEndpoint[] = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter((each): each is AnyEndpoint => typeof each === 'object' && each !== null && 'alsoReads' in each);
