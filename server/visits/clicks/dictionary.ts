import { boundedCache } from '../../platform/concurrency/bounded-cache.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { networkOf } from '../../platform/http/addresses.ts';

/** The purpose of a dictionary entry; each purpose may add only a limited number per minute. */
type TextPurpose = 'referrer' | 'path' | 'utm' | 'parameter' | 'visitor';

/** The link and network of the click that adds an entry. */
interface TextSource {
  linkId: number;
  /** The visitor's; '' without a visitor. */
  address: string;
}

export interface Dictionary {
  /** The id of a text, added if it is new; 0 for the empty text, and if this minute's limit is reached. */
  code(text: string, purpose: TextPurpose, source: TextSource): number;
  /** The id of a text in a click recorded by another machine, which has already applied the limits. */
  codeOfShipped(text: string): number;
  /** Forgets all ids, after a rollback of a transaction that may have added some. */
  forget(): void;
}

const maxLength = 200;
const mostAbsent = 4096;
/** New entries per minute for each purpose: in total, per link, and per network. */
const newTextsPerMinute = 120;
const newTextsOfLink = 60;
const newTextsOfNetwork = 30;

/**
 * The dictionary of the click log, which interns texts. Visitors' texts are untrusted: they are truncated to 200
 * characters, and new ones are rate limited, so that random referrers cannot fill the disk; above the limit a click
 * gets the empty text. Networks and links have their own limits, so that none can use up the total.
 */
export function dictionary(connection: Connection, now: () => number): Dictionary {
  const find = connection.prepare<[string], number>('SELECT id FROM words WHERE word = ?').pluck();
  const add = connection.prepare<[string]>('INSERT INTO words (word) VALUES (?)');
  const known = boundedCache<string, number>(16_384);
  /** Texts that are not in the table: those above the limit are looked up with every click. */
  const absent = new Set<string>();
  const added: Record<TextPurpose, number> = { referrer: 0, path: 0, utm: 0, parameter: 0, visitor: 0 };
  /** What links and networks have added in this minute; never more entries than added texts. */
  const shares = new Map<string, number>();
  let minute = 0;

  function addText(word: string, purpose: TextPurpose, { linkId, address }: TextSource): number {
    const current = Math.floor(now() / 60_000);
    if (current !== minute) {
      minute = current;
      for (const each of Object.keys(added) as TextPurpose[]) added[each] = 0;
      shares.clear();
    }
    if (added[purpose] >= newTextsPerMinute) return 0;
    const link = `${purpose} ${linkId}`;
    const network = `${purpose} from ${networkOf(address)}`;
    const ofLink = shares.get(link) ?? 0;
    const ofNetwork = shares.get(network) ?? 0;
    if (ofLink >= newTextsOfLink || (address !== '' && ofNetwork >= newTextsOfNetwork)) return 0;
    added[purpose] += 1;
    shares.set(link, ofLink + 1);
    shares.set(network, ofNetwork + 1);
    return Number(add.run(word).lastInsertRowid);
  }

  return {
    code(text, purpose, source) {
      if (text === '') return 0;
      const word = cut(text);
      const cached = known.get(word);
      if (cached !== undefined) return cached;
      const id = (absent.has(word) ? undefined : find.get(word)) ?? addText(word, purpose, source);
      if (id !== 0) {
        known.set(word, id);
        absent.delete(word);
      } else {
        if (absent.size >= mostAbsent) absent.clear();
        absent.add(word);
      }
      return id;
    },
    codeOfShipped(text) {
      if (text === '') return 0;
      const word = cut(text);
      const id = known.get(word) ?? find.get(word) ?? Number(add.run(word).lastInsertRowid);
      known.set(word, id);
      absent.delete(word);
      return id;
    },
    forget() {
      known.clear();
      absent.clear();
    },
  };
}

function cut(text: string): string {
  return text.length > maxLength ? text.slice(0, maxLength).toWellFormed() : text;
}
