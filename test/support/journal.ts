/** What one thing is to be after a request, and when that was asked for and answered. */
interface Step {
  value: string;
  sentAt: number;
  /** Infinity while no whole answer came. */
  answeredAt: number;
}

/** What clients asked a server for and what it answered, to be compared with what is there after it died. */
export interface Journal {
  /** Notes that things are about to take a value; what it returns is called once the whole answer came. */
  send(names: readonly string[], value: string): () => void;
  /** How many requests were answered until a moment. */
  answered(until?: number): number;
  /** The moments of all answers. */
  answerMoments(): number[];
  /**
   * What was answered until a moment and is not what is stored: each thing has the value of its last answered request
   * or of one that was sent after it, since nobody knows how far that one came.
   */
  lost(stored: ReadonlyMap<string, string>, until?: number): string[];
}

/** The value of a thing that nothing stores. */
const absent = 'absent';

/** A journal of things that one client at a time changes. `moment` only grows, and need not be a time. */
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
