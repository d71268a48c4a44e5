import type { OverlayAnswer } from '../../../server/contract/overlays.ts';

export interface PollResult {
  readonly text: string;
  readonly votes: number;
  /** Share of all votes, from 0 to 1. */
  readonly share: number;
  /** Whether it is still among the poll's answers; votes for removed answers are kept. */
  readonly isOffered: boolean;
  /** Time of the last vote; null if there is none. */
  readonly date: string | null;
}

/** The current answers in order, including those without votes, followed by removed answers that have votes. */
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
