/** A link with a click limit, as machines that count together know it. */
export interface CountedLimit {
  id: number;
  /** Milliseconds since 1970: after a restore another link may have the id. */
  createdAt: number;
  limit: number;
}

/** Whether a click was left and is taken now; `failed` where nobody can say. */
export type LimitVerdict = 'taken' | 'exhausted' | 'failed';

/** Counts the clicks of links with a limit where several machines answer them. */
export interface SharedLimits {
  /** Whether no click is left, as far as this machine has heard. */
  isUsedUp(link: CountedLimit): boolean;
  /** Takes one of the clicks that are left. Never rejects. */
  useUp(link: CountedLimit): Promise<LimitVerdict>;
}
