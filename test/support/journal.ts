/** The value of an item after a request, with the times of request and response. */
interface Step {
  value: string;
  sentAt: number;
  /** Infinity until the complete response has arrived. */
  answeredAt: number;
}

/**
 * Records what clients requested from a server and what it answered, to compare it with what is stored after a crash.
 */
export interface Journal {
  /** Records that items are about to get a value; call the returned function once the complete response has arrived. */
  send(names: readonly string[], value: string): () => void;
  /** How many requests were answered until a moment. */
  answered(until?: number): number;
  /** The moments of all answers. */
  answerMoments(): number[];
  /**
   * Items whose stored value differs from what was answered until a moment: each must have the value of its last
   * answered request or of one sent after it, since nobody knows how far that one got.
   */
  lost(stored: ReadonlyMap<string, string>, until?: number): string[];
}

/** The value of an item that is not stored. */
const absent = 'absent';

/** A journal of items that are changed by one client at a time. `moment` only grows, and need not be a time. */
export function journal(moment: () => number = () => 0): Journal {
  const histories = new Map<string, Step[]>();
  const answers: Step[] = [];
  return {
    send(names, value) {
      const step: Step = { value, sentAt: moment(), answeredAt: Number.POSITIVE_INFINITY };
      for (const name of names) {
        const history = histories.get(name);
        if (history) history.push(step);
        else histories.set(name, [step]);
      }
      return () => {
        step.answeredAt = moment();
        answers.push(step);
      };
    },
    answered: (until = Number.MAX_VALUE) => answers.filter(({ answeredAt }) => answeredAt <= until).length,
    answerMoments: () => answers.map(({ answeredAt }) => answeredAt),
    lost(stored, until = Number.MAX_VALUE) {
      const lost: string[] = [];
      for (const [name, history] of histories) {
        const last = history.findLastIndex(({ answeredAt }) => answeredAt <= until);
        const allowed = history.slice(Math.max(last, 0)).filter(({ sentAt }) => sentAt <= until);
        const values = allowed.map(({ value }) => value);
        if (last < 0) values.push(absent);
        const value = stored.get(name) ?? absent;
        if (!values.includes(value)) lost.push(`${name} is ${value}, not ${values.join(' or ')}`);
      }
      return lost;
    },
  };
}
