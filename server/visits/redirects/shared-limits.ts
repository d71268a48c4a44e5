/** A link with a click limit, or a file with a download limit, as machines that count together know it. */
export interface CountedLimit {
  kind: 'link' | 'file';
  id: number;
  /** Milliseconds since 1970: after a restore another one may have the id. */
  createdAt: number;
  limit: number;
}

/** Whether a click was left and is taken now; `failed` where nobody can say. */
export type LimitVerdict = 'taken' | 'exhausted' | 'failed';

/** Whether one is left, of which none is taken; `failed` where nobody can say. */
export type LimitView = 'left' | 'exhausted' | 'failed';

/** Counts the clicks of links, and the downloads of files, with a limit where several machines answer them. */
export interface SharedLimits {
  /** Whether no click is left, as far as this machine has heard. */
  isUsedUp(link: CountedLimit): boolean;
  /** Asks whether one is left. Never rejects. */
  look(counted: CountedLimit): Promise<LimitView>;
  /** Takes one of the clicks that are left. Never rejects. */
  useUp(link: CountedLimit): Promise<LimitVerdict>;
}
