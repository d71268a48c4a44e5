/** Shapes of a letter by the neighbors that it is joined to. */
interface Forms {
  isolated: string;
  /** Joined to the letter before it. */
  final: string;
  /** Joined to the letter after it, and to both; letters that join nothing after them have neither. */
  initial?: string;
  medial?: string;
}

/** Unicode's blocks of letters in one shape each, in the order of `Forms`: Arabic Presentation Forms A and B. */
const blocks: readonly (readonly [first: number, last: number])[] = [
  [0xfb50, 0xfbb1],
  [0xfbd3, 0xfbe7],
  [0xfbfc, 0xfbff],
  [0xfe80, 0xfef4],
];
/** The ligatures of lam and alef, each isolated and final: the ones that every hand has. */
const lamAlef = [0xfef5, 0xfefc] as const;
const lengthening = '\u0640';
/** Joins its neighbors, and is not drawn itself. */
const joiner = '\u200d';

const forms = readForms();
const ligatures = new Map(
  pairsOf(lamAlef).map(([isolated, final]): [string, Forms] => [
    isolated.normalize('NFKC'),
    { isolated, final },
  ]),
);

/** Every shape of a letter; undefined if it does not belong to this script, or cannot be joined. */
export function shapesOf(letter: string): string[] | undefined {
  const found = forms.get(letter);
  return found && Object.values(found);
}

/** Replaces Arabic letters by the shapes that their neighbors require. Everything else, and the order, is unchanged. */
export function joined(text: string): string {
  const letters = clusters(text);
  return letters
    .map((letter, index) => {
      const found = formsOf(letter);
      if (!found) return letter;
      const isAfter = joinsNext(letters[index - 1]);
      const isBefore = found.initial !== undefined && joinsPrevious(letters[index + 1]);
      if (isAfter) return (isBefore && found.medial) || found.final;
      return (isBefore && found.initial) || found.isolated;
    })
    .join('');
}

/** The letters of a text, lam with an alef after it as one. */
function clusters(text: string): string[] {
  const letters: string[] = [];
  for (const letter of text) {
    const before = letters.at(-1);
    if (before !== undefined && ligatures.has(before + letter)) letters[letters.length - 1] = before + letter;
    else letters.push(letter);
  }
  return letters;
}

function formsOf(letter: string | undefined): Forms | undefined {
  return letter === undefined ? undefined : (ligatures.get(letter) ?? forms.get(letter));
}

function joinsNext(letter: string | undefined): boolean {
  return letter === lengthening || letter === joiner || formsOf(letter)?.initial !== undefined;
}

function joinsPrevious(letter: string | undefined): boolean {
  if (letter === lengthening || letter === joiner) return true;
  const found = formsOf(letter);
  return found !== undefined && found.final !== found.isolated;
}

/**
 * Letters by the compatibility decomposition of their shapes: four for those that join both ways, two, or one (hamza).
 */
function readForms(): Map<string, Forms> {
  const shapes = new Map<string, string[]>();
  for (const block of blocks) {
    for (const shape of charactersOf(block)) {
      const letter = shape.normalize('NFKC');
      if (letter === shape || [...letter].length > 1) continue;
      shapes.set(letter, [...(shapes.get(letter) ?? []), shape]);
    }
  }
  return new Map(
    [...shapes].map(([letter, [isolated = letter, final = isolated, initial, medial]]) => [
      letter,
      { isolated, final, ...(initial && medial && { initial, medial }) },
    ]),
  );
}

function charactersOf([first, last]: readonly [number, number]): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
}

function pairsOf(block: readonly [number, number]): (readonly [string, string])[] {
  const characters = charactersOf(block);
  return characters.flatMap((one, index) =>
    index % 2 === 0 ? [[one, characters[index + 1] as string] as const] : [],
  );
}
