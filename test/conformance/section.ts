/** A test by its file and its title, as written there. */
export interface CoveringTest {
  file: string;
  title: string;
}

/** One rule of the published contract, in our own words. */
export interface Row {
  /** Short and stable: `account.email.unique`. */
  id: string;
  rule: string;
  tests: CoveringTest[];
}

/** The rules of one table of the contract. */
export interface Section {
  name: string;
  /** Whether every row has to have its tests; an open section is listed but fails nothing. */
  closed: boolean;
  rows: Row[];
}

/** Makes rows shorter to write: `tests(row, 'title', 'another title')` for the tests of one file. */
export function testsOf(file: string): (...titles: string[]) => CoveringTest[] {
  return (...titles) => titles.map((title) => ({ file, title }));
}
