/**
 * IANA names that the runtime maps to an older one (Asia/Calcutta for Asia/Kolkata). Clients expect to read back the
 * name they sent, so these are kept as separate names.
 */
const currentNames = new Set([
  'Africa/Asmara',
  'America/Argentina/Buenos_Aires',
  'America/Argentina/Catamarca',
  'America/Argentina/Cordoba',
  'America/Argentina/Jujuy',
  'America/Argentina/Mendoza',
  'America/Atikokan',
  'America/Indiana/Indianapolis',
  'America/Kentucky/Louisville',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
  'Pacific/Chuuk',
  'Pacific/Kanton',
  'Pacific/Pohnpei',
]);
const currentNamesFolded = new Map([...currentNames].map((name) => [name.toLowerCase(), name]));

interface Zone {
  name: string;
  formatter: Intl.DateTimeFormat;
}

/**
 * Zones by lower-case name. The runtime ignores case, and each formatter takes 30 kB: with one formatter per spelling,
 * the 2^12 spellings of a single zone filled the memory. So there are never more entries than the runtime has names
 * (about 600), however they are written.
 */
const zones = new Map<string, Zone>();
/** Formatters by the runtime's own name, shared by older and newer names of a zone. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * The canonical spelling of a time zone for storage and display; undefined for unknown names. `europe/BERLIN` is
 * Europe/Berlin, `US/Eastern` is America/New_York.
 */
export function canonicalTimezone(text: string): string | undefined {
  return findZone(text)?.name;
}

/**
 * The runtime's formatter of a zone's wall clock. That of UTC for unknown names: a database may have zones that only
 * another version of the runtime knows, and what is shown in UTC is still right.
 */
export function timezoneFormatter(timezone: string): Intl.DateTimeFormat {
  return findZone(timezone)?.formatter ?? formatterOf('UTC');
}

/** The number of cached names and formatters; for tests. */
export function rememberedTimezones(): { names: number; formatters: number } {
  return { names: zones.size, formatters: formatters.size };
}

function findZone(text: string): Zone | undefined {
  const folded = text.toLowerCase();
  const known = zones.get(folded);
  if (known) return known;
  // Offsets such as +01:00 are not names, and there would be thousands.
  if (!/^[a-z][a-z0-9_+-]*(\/[a-z0-9_+-]+){0,2}$/.test(folded)) return undefined;
  const own = runtimeName(text);
  if (own === undefined) return undefined;
  const zone = { name: currentNamesFolded.get(folded) ?? own, formatter: formatterOf(own) };
  zones.set(folded, zone);
  return zone;
}

function runtimeName(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    // RangeError: unknown zone.
    return undefined;
  }
}

function formatterOf(name: string): Intl.DateTimeFormat {
  const known = formatters.get(name);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(name, formatter);
  return formatter;
}
