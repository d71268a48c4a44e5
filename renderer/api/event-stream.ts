/**
 * Reads server-sent events from a response's body and yields the JSON document of each event's `data`.
 * We read the stream ourselves because EventSource cannot send an Authorization header.
 * (WHATWG HTML, "Interpreting an event stream"; ids and retry hints are not used.)
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          const document = parsed(data);
          data = [];
          if (document !== undefined) yield document;
        } else if (line.startsWith('data:')) {
          data.push(line.slice(line[5] === ' ' ? 6 : 5));
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => {
      // The connection is gone already.
    });
  }
}

function parsed(data: string[]): unknown {
  if (data.length === 0) return undefined;
  try {
    return JSON.parse(data.join('\n'));
  } catch {
    // An event that is no JSON is none of ours.
    return undefined;
  }
}
