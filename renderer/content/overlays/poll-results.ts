import type { OverlayAnswer } from '../../../server/contract/overlays.ts';

export interface PollResult {
  readonly text: string;
  readonly votes: number;
  /** Of all votes, from 0 to 1. */
  readonly share: number;
  /** Whether the poll still offers it; votes for others stay. */
  readonly isOffered: boolean;
  /** When the last vote came; null without one. */
  readonly date: string | null;
}

/** The offered answers in their order, those without votes too, and after them what was offered once and voted for. */
export function pollResults(offered: readonly string[], answers: readonly OverlayAnswer[]): PollResult[] {
  const total = answers.reduce((sum, { count }) => sum + count, 0);
  const byText = new Map(answers.map((answer) => [answer.value, answer]));
  const former = answers.filter(({ value }) => !offered.includes(value)).sort((a, b) => b.count - a.count);
  return [...offered, ...former.map(({ value }) => value)].map((text) => {
    const votes = byText.get(text)?.count ?? 0;
    return {
      text,
      votes,
      share: total === 0 ? 0 : votes / total,
      isOffered: offered.includes(text),
      date: byText.get(text)?.date ?? null,
    };
  });
}
