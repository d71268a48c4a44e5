import { documentOf, eventParser } from '../../server/contract/event-stream.ts';

/** Yields the parsed data of a live stream's events. Throws if a line or event is too large. */
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
      // The connection is already closed.
    });
  }
}
