/** Returns an id that a message keeps over all attempts. `randomBytes` is the system's. */
export function newMessageId(randomBytes: (size: number) => Buffer): string {
  return `msg_${randomBytes(18).toString('base64url')}`;
}

/** Returns the body of a message, as Standard Webhooks recommends: type, timestamp and data. `at` is in ms. */
export function messageBody(type: string, at: number, data: Record<string, unknown>): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}
