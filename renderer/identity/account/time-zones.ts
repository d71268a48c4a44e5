export interface TimeZone {
  readonly value: string;
  /** `Europe/Berlin`, with spaces for underscores. */
  readonly label: string;
  /** UTC offset at the given time: `UTC+01:00`. */
  readonly description: string;
}

/** All time zones known to the browser, by name, with their UTC offset at `now`. */
export function timeZones(now: Date): TimeZone[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
    description: offsetOf(value, now),
  }));
}

function offsetOf(timeZone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(now);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name === 'GMT' ? 'UTC' : name.replace('GMT', 'UTC');
}
