import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import type { CsvTable } from '../../../server/contract/csv-table.ts';
import {
  type ColumnMapping,
  type FileShape,
  isComplete,
  shapeOf,
} from '../../../server/contract/import-columns.ts';
import { type FileRow, fileRows } from '../../../server/contract/import-rows.ts';
import { call, callAt } from '../../api/client.ts';
import { ApiFailure, isAbort } from '../../api/failure.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { randomId } from '../../api/random-id.ts';
import { useRateWait } from '../../api/rate-wait.ts';
import { tellLinkChange } from '../links/link-changes.ts';
import { readCsv } from './csv-reading.ts';
import { type MadeNames, runImport } from './import-run.ts';
import { type Conflict, countOutcomes, knownResult, type RowResult, withEarlierRows } from './outcomes.ts';

/**
 * `mapping`: the user must map the columns · `checking`: dry run · `ready`: dry run finished · `stopped`: cancelled or
 * failed halfway; finished rows stay, and the import can be resumed.
 */
export type ImportPhase =
  | 'choose'
  | 'reading'
  | 'mapping'
  | 'checking'
  | 'ready'
  | 'importing'
  | 'stopped'
  | 'done';

/** State of an import from file selection to result. A store, so that it continues during navigation. */
export const useImportStore = defineStore('import', () => {
  const instance = useInstanceStore();
  const phase = ref<ImportPhase>('choose');
  const fileName = ref('');
  const table = shallowRef<CsvTable>({ records: [] });
  const shape = shallowRef<FileShape>();
  const mapping = shallowRef<ColumnMapping>({});
  const conflict = ref<Conflict>('skip');
  /** Domains in the file that the account does not have. */
  const unknownDomains = shallowRef<ReadonlySet<string>>(new Set());
  /** Target for rows on those domains; undefined skips them. */
  const otherDomain = ref<string>();
  const rows = shallowRef<readonly FileRow[]>([]);
  const rehearsal = shallowRef<readonly (RowResult | undefined)[]>([]);
  const imported = shallowRef<readonly (RowResult | undefined)[]>([]);
  const channels = shallowRef<ReadonlySet<string>>(new Set());
  const campaigns = shallowRef<ReadonlySet<string>>(new Set());
  const readFraction = ref(0);
  const failure = ref<string>();
  const isCancelled = ref(false);
  let work = new AbortController();
  let importId = randomId();
  /** The account that the file was checked against; the import goes there even if another one becomes active. */
  let destination = instance.destination;
  const destinationScope = ref(instance.scope);
  /** Whether the active account is the import's destination. */
  const isHere = computed(() => destinationScope.value === instance.scope);
  const here = () => callAt(destination, useRateWait().begin);

  const isImported = computed(() => ['importing', 'stopped', 'done'].includes(phase.value));
  /** Outcome of each row: the actual one if imported, else that of the dry run. */
  const results = computed(() => {
    if (isImported.value) return imported.value;
    return withEarlierRows(rows.value, rehearsal.value, conflict.value, domainOf);
  });
  const counts = computed(() => countOutcomes(results.value));
  const finished = computed(() => results.value.reduce((sum, result) => sum + (result ? 1 : 0), 0));
  const fraction = computed(() =>
    phase.value === 'reading' ? readFraction.value : finished.value / Math.max(1, rows.value.length),
  );

  /** The host of a row's link; '' for the instance's own. */
  function domainOf({ domain, shorthost }: FileRow['row']): string {
    const isElsewhere = domain !== undefined && unknownDomains.value.has(domain);
    const host = (isElsewhere ? otherDomain.value : undefined) ?? domain ?? shorthost ?? '';
    return host === instance.ownHost ? '' : host;
  }

  async function open(file: File): Promise<void> {
    reset();
    phase.value = 'reading';
    fileName.value = file.name;
    const { signal } = work;
    try {
      table.value = await readCsv(file, { signal, onProgress: (part) => (readFraction.value = part) });
    } catch (error) {
      if (!isAbort(error)) fail('unreadable');
      return;
    }
    if (table.value.records.length === 0) return fail('empty');
    if (isBinary(table.value)) return fail('not_text');
    shape.value = shapeOf(table.value);
    mapping.value = shape.value.mapping;
    if (isComplete(mapping.value) && shape.value.hasHeader) await check();
    else phase.value = 'mapping';
  }

  /** Starts a dry run. Called again when the column mapping or conflict handling changes. */
  async function check(): Promise<void> {
    if (!shape.value) return;
    work.abort();
    work = new AbortController();
    importId = randomId();
    destination = instance.destination;
    destinationScope.value = instance.scope;
    const { signal } = work;
    failure.value = undefined;
    if (otherDomain.value === undefined) unknownDomains.value = new Set();
    rows.value = fileRows(table.value, shape.value, mapping.value, instance.timezone);
    if (rows.value.length === 0) return fail('empty');
    rehearsal.value = rows.value.map(knownResult);
    forgetNames();
    phase.value = 'checking';
    try {
      await runImport({
        call,
        id: importId,
        rows: rows.value,
        results: rehearsal.value,
        conflict: conflict.value,
        otherDomain: otherDomain.value,
        isRehearsal: true,
        shouldStop: () => signal.aborted,
        signal,
        onSlice(sliceResults, made) {
          if (signal.aborted) return;
          rehearsal.value = rehearsal.value.map((result, place) => sliceResults.get(place) ?? result);
          noteNames(made);
          noteUnknownDomains(sliceResults);
        },
      });
      if (!signal.aborted) phase.value = 'ready';
    } catch (error) {
      if (!signal.aborted && !isAbort(error)) failure.value = sentenceOf(error);
    }
  }

  /** Imports all rows without a result: everything at first, the rest after a stop. */
  async function start(): Promise<void> {
    if (phase.value === 'ready') {
      imported.value = rows.value.map(knownResult);
      forgetNames();
    }
    phase.value = 'importing';
    failure.value = undefined;
    isCancelled.value = false;
    try {
      const isWhole = await runImport({
        call: here(),
        id: importId,
        rows: rows.value,
        results: imported.value,
        conflict: conflict.value,
        otherDomain: otherDomain.value,
        isRehearsal: false,
        shouldStop: () => isCancelled.value,
        onSlice(sliceResults, made) {
          imported.value = imported.value.map((result, place) => sliceResults.get(place) ?? result);
          noteNames(made);
        },
      });
      phase.value = isWhole ? 'done' : 'stopped';
    } catch (error) {
      failure.value = sentenceOf(error);
      phase.value = 'stopped';
    }
    tellLinkChange({ kind: 'many' });
    if (!isHere.value) reset();
  }

  function noteNames(made: MadeNames): void {
    channels.value = new Set([...channels.value, ...made.channels]);
    campaigns.value = new Set([...campaigns.value, ...made.campaigns]);
  }

  function noteUnknownDomains(sliceResults: ReadonlyMap<number, RowResult>): void {
    const names = [...sliceResults].flatMap(([place, { code }]) =>
      code === 'unknown_domain' ? (rows.value[place]?.row.domain ?? []) : [],
    );
    if (names.length > 0) unknownDomains.value = new Set([...unknownDomains.value, ...names]);
  }

  function forgetNames(): void {
    channels.value = new Set();
    campaigns.value = new Set();
  }

  function fail(key: 'unreadable' | 'not_text' | 'empty'): void {
    phase.value = 'choose';
    failure.value = key;
  }

  function reset(): void {
    work.abort();
    work = new AbortController();
    phase.value = 'choose';
    table.value = { records: [] };
    rows.value = [];
    rehearsal.value = [];
    imported.value = [];
    forgetNames();
    unknownDomains.value = new Set();
    otherDomain.value = undefined;
    shape.value = undefined;
    failure.value = undefined;
    readFraction.value = 0;
    isCancelled.value = false;
  }

  // A different mapping may find different domains.
  watch(mapping, () => {
    otherDomain.value = undefined;
  });
  // The data belongs to the account that it was checked against.
  watch(
    () => instance.scope,
    () => phase.value !== 'importing' && reset(),
  );

  return {
    phase,
    fileName,
    table,
    shape,
    mapping,
    conflict,
    unknownDomains,
    otherDomain,
    rows,
    results,
    counts,
    channels,
    campaigns,
    fraction,
    finished,
    failure,
    isCancelled,
    isImported,
    isHere,
    open,
    check,
    start,
    reset,
    /** The current batch is completed, so that reported results are accurate. */
    cancel(): void {
      isCancelled.value = true;
    },
  };
});

/** Detects images and native spreadsheet formats by their NUL bytes, which text does not contain. */
function isBinary(table: CsvTable): boolean {
  return table.records.slice(0, 20).some(({ cells }) => cells.some((cell) => cell.includes('\0')));
}

/** The API's error message; '' for unexpected errors, for which the page has a generic message. */
function sentenceOf(error: unknown): string {
  return error instanceof ApiFailure ? error.message : '';
}
