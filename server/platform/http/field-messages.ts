import type { z } from 'zod';

/**
 * The message for a value that violates a contract rule without its own message. The library's messages are meant for
 * developers.
 */
export function fieldMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'too_big':
      return issue.inclusive === false
        ? `Use a number below ${issue.maximum}.`
        : `${amountOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}.`;
    case 'too_small':
      return issue.inclusive === false
        ? `Use a number above ${issue.minimum}.`
        : `${amountOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}.`;
    case 'invalid_value':
      return `Choose one of ${issue.values.map(String).join(', ')}.`;
    case 'invalid_format':
      return 'This has the wrong format.';
    case 'invalid_type':
    case 'invalid_union':
      // Reported with the name of the field, which is not known here.
      return undefined;
    default:
      return 'This value is invalid.';
  }
}

function amountOf(origin: string): string {
  return origin === 'number' || origin === 'int' ? 'Use a number of' : 'Use';
}

function unitOf(origin: string, amount: number | bigint): string {
  const isOne = Number(amount) === 1;
  if (origin === 'string') return isOne ? ' character' : ' characters';
  if (origin === 'array') return isOne ? ' entry' : ' entries';
  return '';
}
