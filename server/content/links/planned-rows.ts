import type { ImportedRow } from '../../contract/import.ts';

/** What rows are known by. */
interface Named {
  alias: string;
  domainId: number | null;
  token: string | undefined;
}

/** A row of a dry run that changed something when it was tried. */
interface PlannedRow<Row> {
  row: Row;
  /** Whether it created a link. */
  isNew: boolean;
}

/**
 * Which rows of a dry run a later one depends on: those that it shares an address or a token with. Each is rolled back
 * once it was tried, so these are repeated before the later one. They stay few however often an address comes: the row
 * that took it and the last one that led it elsewhere say all.
 */
export function plannedRows<Row extends Named>() {
  const planned = new Map<string, PlannedRow<Row>[]>();
  const find = (key: string | undefined): PlannedRow<Row>[] => (key && planned.get(key)) || [];

  return {
    /** The rows to be repeated before a row, in the order of the import. */
    before: (row: Row): PlannedRow<Row>[] => [...new Set([...find(addressOf(row)), ...find(tokenOf(row))])],

    /** Records the effect of a tried row. */
    note(row: Row, outcome: ImportedRow['outcome']): void {
      if (outcome !== 'create' && outcome !== 'rename' && outcome !== 'replace') return;
      const entry = { row, isNew: outcome !== 'replace' };
      const [address, token] = [addressOf(row), tokenOf(row)];
      const sameAddress = find(address);
      if (address && outcome !== 'rename') planned.set(address, [...sameAddress.slice(0, 1), entry]);
      if (token) planned.set(token, [...sameAddress, entry]);
    },
  };
}

function addressOf({ alias, domainId }: Named): string | undefined {
  return alias === '' ? undefined : `address ${domainId ?? 0}/${alias}`;
}

function tokenOf({ token }: Named): string | undefined {
  return token && `token ${token}`;
}
