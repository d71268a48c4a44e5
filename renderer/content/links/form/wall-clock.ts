const later = { day: [0, 0, 1], week: [0, 0, 7], month: [0, 1, 0], year: [1, 0, 0] } as const;

/** `YYYY-MM-DDTHH:MM` in `timezone`, a day, week, month or year after `now`. */
export function wallClock(timezone: string, after: keyof typeof later, now: Date): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const [date = '', time = ''] = format.format(now).split(' ');
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const [years, months, days] = later[after];
  // The last day that the month has: 31 January and a month is the end of February.
  const lastDay = new Date(Date.UTC(year + years, month + months, 0)).getUTCDate();
  const target = new Date(Date.UTC(year + years, month - 1 + months, Math.min(day, lastDay) + days));
  return `${target.toISOString().slice(0, 10)}T${time}`;
}
