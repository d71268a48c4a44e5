import type { Edit } from '../database/commit-guard.ts';
import { changed, rejected } from '../errors.ts';

/** Thrown within the transaction of an edit that was based on an outdated version. */
class Outdated extends Error {}

/** What an update is based on: a version, any version, or an invalid value. */
type Basis = number | 'any' | 'nonsense';

/**
 * The edit that a request asks for. `If-Match` takes precedence over `version` in the body; without either the last
 * write wins.
 */
export function editFrom(header: string | undefined, body: unknown, version: Edit['version']): Edit {
  const basis = header === undefined ? basisInBody(body) : basisInHeader(header);
  return {
    version,
    confirm(present) {
      // The handler has already reported a record that does not exist.
      if (basis === 'any' || present === undefined) return;
      if (basis === 'nonsense') {
        throw rejected('version', 'version', 'Send the version of the record, such as If-Match: "7".');
      }
      if (basis !== present) throw new Outdated();
    },
  };
}

/** Answers an edit with the record's new version, or throws 409 with the current record. */
export async function withVersion(
  { version }: Edit,
  { answer, shown }: { answer: () => Promise<unknown>; shown: () => Promise<object> },
): Promise<unknown> {
  try {
    const reply = await answer();
    return { ...(reply as object), version: version() };
  } catch (error) {
    if (!(error instanceof Outdated)) throw error;
    throw changed({ ...(await shown()) });
  }
}

/** One strong tag (RFC 9110, section 13.1.1), or `*`. */
function basisInHeader(header: string): Basis {
  if (header.trim() === '*') return 'any';
  const [, digits] = /^"([1-9]\d{0,14})"$/.exec(header.trim()) ?? [];
  return digits === undefined ? 'nonsense' : Number(digits);
}

function basisInBody(body: unknown): Basis {
  const sent = typeof body === 'object' && body !== null && 'version' in body ? body.version : undefined;
  if (sent === undefined) return 'any';
  return Number.isSafeInteger(sent) && Number(sent) > 0 ? Number(sent) : 'nonsense';
}
