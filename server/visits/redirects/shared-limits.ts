/** A link with a click limit, or a file with a download limit, as identified across machines. */
export interface CountedLimit {
  kind: 'link' | 'file';
  id: number;
  /** Milliseconds since 1970, as ids may be assigned again after a restore. */
  createdAt: number;
  limit: number;
}

/** Whether a click was left, and has been taken; `failed` if unknown. */
export type LimitVerdict = 'allowed' | 'exhausted' | 'failed';

/** Whether a click is left, without taking it; `failed` if unknown. */
export type LimitView = 'left' | 'exhausted' | 'failed';

/** Counts clicks of limited links, and downloads of limited files, across several machines. */
export interface SharedLimits {
  /** Whether no click is left, as far as this machine knows. */
  isUsedUp(link: CountedLimit): boolean;
  /** Checks whether a click is left. Never rejects. */
  look(counted: CountedLimit): Promise<LimitView>;
  /** Takes one of the remaining clicks. Never rejects. */
  consume(link: CountedLimit): Promise<LimitVerdict>;
}
