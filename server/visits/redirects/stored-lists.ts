import type { Rule } from '../../contract/rules.ts';
import { storedList } from '../../platform/text/stored-json.ts';

/** The rules of a stored link, without damaged ones. */
export const storedRules = (json: string): Rule[] => storedList<Rule>(json, 'object').filter(isRule);

/** The variants of a stored link, without damaged ones. */
export const storedVariants = (json: string): { url: string; percentage: number }[] =>
  storedList<{ url: unknown; percentage: unknown }>(json, 'object').filter(
    (each): each is { url: string; percentage: number } =>
      typeof each.url === 'string' && typeof each.percentage === 'number',
  );

/** The parameters of a stored link, without damaged ones. */
export const storedParameters = (json: string): { name: string; value: string }[] =>
  storedList<{ name: unknown; value: unknown }>(json, 'object').filter(
    (each): each is { name: string; value: string } =>
      typeof each.name === 'string' && typeof each.value === 'string',
  );

function isRule({ conditions, link }: Rule): boolean {
  return typeof link === 'string' && Array.isArray(conditions) && conditions.every(isCondition);
}

function isCondition(condition: Rule['conditions'][number] | null): boolean {
  if (!condition || typeof condition.type !== 'string' || typeof condition.op !== 'string') return false;
  return (
    condition.type !== 'date' ||
    [condition.value].flat().every((at) => Number.isFinite(Number(at ?? Number.NaN)))
  );
}
