/** A server-sent event (WHATWG HTML, section 9.2.6). */
interface StreamEvent {
  readonly type: string;
  readonly data: string;
}

export interface EventParser {
  /** Returns the events completed by this chunk. Throws if a line or an event grows too large. */
  push(text: string): StreamEvent[];
  /** The reconnection time requested by the stream, in milliseconds. */
  retry(): number | undefined;
  lastEventId(): string;
}

/**
 * Parses a live stream event's JSON, adding the event's name as `type` if missing. Undefined for an event that is not
 * JSON, which is not ours.
 */
export function documentOf({ type, data }: StreamEvent): unknown {
  try {
    const document: unknown = JSON.parse(data);
    const isObject = typeof document === 'object' && document !== null && !Array.isArray(document);
    return isObject && !('type' in document) ? { ...document, type } : document;
  } catch {
    // Other servers may send anything.
    return undefined;
  }
}

/** Limits memory use. Characters, for a line and for an event's data. */
const MAX_LENGTH = 1_000_000;

/**
 * Parses server-sent events from chunks of any size. A custom parser, because EventSource cannot send an Authorization
 * header, and both the desktop and the browser follow streams of possibly hostile servers.
 */
export function eventParser(): EventParser {
  let rest = '';
  let type = '';
  let data: string[] = [];
  let size = 0;
  let id = '';
  let retry: number | undefined;

  function dispatch(): StreamEvent[] {
    const event = { type: type || 'message', data: data.join('\n') };
    const isEmpty = data.length === 0;
    type = '';
    data = [];
    size = 0;
    return isEmpty ? [] : [event];
  }

  function take(line: string): void {
    if (line.startsWith(':')) return;
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (field === 'event') type = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) retry = Number(value);
    else if (field === 'data') {
      size += value.length;
      if (size > MAX_LENGTH) throw new Error('An event of the stream is too large.');
      data.push(value);
    }
  }

  return {
    push(text) {
      // A trailing CR may be the first half of a CRLF, so keep it for the next chunk.
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LENGTH) throw new Error('A line of the stream is too long.');
      return lines.flatMap((line) => {
        if (line === '') return dispatch();
        take(line);
        return [];
      });
    },
    retry: () => retry,
    lastEventId: () => id,
  };
}
