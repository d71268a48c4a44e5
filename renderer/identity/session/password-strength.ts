export type Strength = 'short' | 'common' | 'personal' | 'weak' | 'fair' | 'strong';

/** The minimum password length of the UI; the contract itself accepts 5. */
const shortestPassword = 8;

/** Words contained in the most common passwords, ignoring digits and decoration. */
const commonWords = new Set(
  (
    'password passwort passwd pass admin administrator root user login welcome letmein qwerty qwertz azerty asdf asdfgh ' +
    'yxcvbn zxcvbn abc abcd abcde abcdef iloveyou love monkey dragon master hello hallo sunshine princess football ' +
    'baseball superman batman shadow michael jordan hunter killer trustno secret geheim changeme default test testing ' +
    'guest summer winter spring autumn sommer freedom whatever ninja mustang access flower cookie pokemon starwars ' +
    'computer internet samsung google chelsea liverpool arsenal soccer hockey charlie daniel jessica ashley thomas ' +
    'robert jennifer joshua george andrew matthew nicole amanda donald computer orange banana cheese chocolate waypost'
  ).split(' '),
);

/** Keyboard rows and the alphabet, for detecting predictable sequences. */
const walks = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
];

/**
 * Estimates how hard a password is to guess: length counts; common patterns (a common word with a digit and an
 * exclamation mark, keyboard sequences, repetitions) hardly count. `personal` contains words related to the user.
 */
export function passwordStrength(password: string, personal: readonly string[] = []): Strength {
  if ([...password].length < shortestPassword) return 'short';
  const plain = withoutDecoration(password);
  if (commonWords.has(plain) || plain.length < 3 || isRepetition(password))
    return bits(password) < 60 ? 'common' : 'fair';
  const own = personal
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= 4);
  if (own.some((word) => password.toLowerCase().includes(word)) && bits(password) < 90) return 'personal';
  const strength = bits(password);
  if (strength < 45) return 'weak';
  return strength < 65 ? 'fair' : 'strong';
}

/** Reverses leetspeak and removes everything but letters: `P4ssw0rd!23` becomes `password`. */
function withoutDecoration(password: string): string {
  const readAs: Record<string, string> = {
    '0': 'o',
    '1': 'i',
    '3': 'e',
    '4': 'a',
    '5': 's',
    '7': 't',
    '@': 'a',
    $: 's',
  };
  const core = password
    .toLowerCase()
    .replace(/[^\p{L}]+$/u, '')
    .replace(/^[^\p{L}@$]+/u, '');
  return core.replace(/[013457@$]/g, (sign) => readAs[sign] ?? sign).replace(/[^\p{L}]/gu, '');
}

function isRepetition(password: string): boolean {
  return /^(.{1,4}?)\1+$/u.test(password);
}

/** Estimated entropy in bits: each character counts by the size of its class, a predictable one hardly at all. */
function bits(password: string): number {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/[0-9]/, 10],
    [/[^a-zA-Z0-9]/, 33],
  ];
  const pool = kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0);
  const each = Math.log2(Math.max(pool, 2));
  const lower = password.toLowerCase();
  let sum = 0;
  for (let index = 0; index < lower.length; index++) {
    const pair = lower.slice(index - 1, index + 1);
    const backwards = [...pair].reverse().join('');
    const predictable =
      index > 0 &&
      (pair[0] === pair[1] || walks.some((walk) => walk.includes(pair) || walk.includes(backwards)));
    sum += predictable ? 1 : each;
  }
  for (const word of commonWords) {
    // A common word is one choice among a few thousand, regardless of its length.
    if (word.length >= 4 && lower.includes(word)) sum -= word.length * each - 11;
  }
  return sum;
}

/** Excludes similar-looking characters, so that passwords can be read aloud and copied from paper. */
const alphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Generates a password: four groups of five characters, about 115 bits. */
export function newPassword(
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array = (bytes) => crypto.getRandomValues(bytes),
): string {
  const signs: string[] = [];
  while (signs.length < 20) {
    for (const byte of random(new Uint8Array(32))) {
      // Rejection sampling: larger bytes would make some characters more likely than others.
      if (signs.length < 20 && byte < 256 - (256 % alphabet.length))
        signs.push(alphabet[byte % alphabet.length] as string);
    }
  }
  return [0, 5, 10, 15].map((start) => signs.slice(start, start + 5).join('')).join('-');
}
