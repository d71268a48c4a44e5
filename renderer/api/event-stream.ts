import { documentOf, eventParser } from '../../server/contract/event-stream.ts';

/** Yields the documents of a live stream's events. Throws when a line or an event grows too large. */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = eventParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const event of parser.push(decoder.decode(value, { stream: true }))) {
        const document = documentOf(event);
        if (document !== undefined) yield document;
      }
    }
  } finally {
    await reader.cancel().catch(() => {
      // The connection is gone already.
    });
  }
}
