import { defineStore } from 'pinia';
import { computed, ref, shallowRef, triggerRef, watch } from 'vue';
import { describeServer, isBaseContract } from '../../api/capabilities.ts';
import { callAt } from '../../api/client.ts';
import { ApiFailure, isAbort } from '../../api/failure.ts';
import { useInstanceStore } from '../../api/instance.ts';
import { tellLinkChange } from '../../content/links/link-changes.ts';
import { countProtected, type Destination, planTransfer, type Source } from './plan.ts';
import { type LinkChoice, readDestination, readSource } from './reading.ts';
import {
  actionOf,
  type ConflictChoice,
  foldName,
  isPicked,
  type RowResult,
  type TransferKind,
  type TransferRow,
} from './rows.ts';
import { type KnownNames, runTransfer, undoTransfer } from './run.ts';
import { type ThrottledCall, throttledCall } from './throttled-call.ts';

/**
 * `choose`: selecting source and records · `reading`: reading both instances · `ready`: preview, nothing copied yet ·
 * `stopped`: cancelled or failed halfway, can be resumed · `undone`: created records have been removed.
 */
export type TransferPhase =
  | 'choose'
  | 'reading'
  | 'ready'
  | 'copying'
  | 'stopped'
  | 'done'
  | 'undoing'
  | 'undone';

/** A source or destination team. */
export interface TransferTeam {
  readonly id: number;
  readonly name: string;
}

/** State of a copy from another instance to the current one. A store, so that it continues during navigation. */
export const useTransferStore = defineStore('transfer', () => {
  const instance = useInstanceStore();
  const phase = ref<TransferPhase>('choose');
  const sourceId = ref<string>();
  /** The source account: one of the user's teams, or undefined for the personal account. */
  const sourceTeam = shallowRef<TransferTeam>();
  const destinationId = ref('');
  /** The destination account, likewise. */
  const destinationTeam = shallowRef<TransferTeam>();
  const isShown = () =>
    destinationId.value === instance.currentId && destinationTeam.value?.id === instance.team;
  const kinds = ref<readonly TransferKind[]>(['campaigns', 'channels', 'links']);
  const choice = ref<LinkChoice>({});
  const conflict = ref<ConflictChoice>('skip');
  const opensProtected = ref(false);
  /** Rows explicitly selected or deselected, by key. */
  const ticks = shallowRef<ReadonlyMap<string, boolean>>(new Map());
  const source = shallowRef<Source>();
  const destination = shallowRef<Destination>();
  /** The `kinds` that both instances support. */
  const readKinds = shallowRef<ReadonlySet<TransferKind>>(new Set());
  const results = shallowRef(new Map<string, RowResult>());
  const readFraction = ref(0);
  const failure = ref<string>();
  const isStopping = ref(false);
  /** End of the wait for a rate limit of either server; milliseconds like Date.now. */
  const pausedUntil = ref<number>();
  /** Number of rows of the running task, and how many are done. */
  const work = ref({ done: 0, total: 0 });
  let names: KnownNames = { campaigns: new Map(), channels: new Map() };
  let reading = new AbortController();
  let patient: ThrottledCall = throttledCall(() => {});

  const rows = computed<readonly TransferRow[]>(() => {
    if (!source.value || !destination.value) return [];
    const isNarrowed = Object.keys(choice.value).length > 0;
    return planTransfer(source.value, destination.value, {
      kinds: readKinds.value,
      isNarrowed,
      opensProtected: opensProtected.value,
    });
  });
  const isRun = computed(() => !['choose', 'reading', 'ready'].includes(phase.value));
  const isBusy = computed(() => phase.value === 'copying' || phase.value === 'undoing');
  const toCopy = computed(() => rows.value.filter(willCopy));
  const made = computed(() =>
    [...results.value].flatMap(([key, result]) => (result.id === undefined ? [] : [{ key, result }])),
  );
  const failed = computed(
    () => [...results.value.values()].filter(({ outcome }) => outcome === 'failed').length,
  );
  const protectedLinks = computed(() => countProtected(source.value?.links ?? []));
  const fraction = computed(() =>
    phase.value === 'reading' ? readFraction.value : work.value.done / Math.max(1, work.value.total),
  );

  function isTicked(row: TransferRow): boolean {
    return ticks.value.get(row.key) ?? isPicked(row);
  }

  function willCopy(row: TransferRow): boolean {
    return isTicked(row) && actionOf(row, conflict.value) !== 'leave';
  }

  function beginWork(): ThrottledCall {
    failure.value = undefined;
    isStopping.value = false;
    patient = throttledCall((until) => {
      pausedUntil.value = until;
    });
    return patient;
  }

  /** Reads both instances and shows the preview. */
  async function check(): Promise<void> {
    const from = instance.list.find(({ id }) => id === sourceId.value);
    if (!from) return;
    const wanted = { kinds: kinds.value, choice: choice.value };
    reset();
    destinationId.value = instance.currentId;
    const { team, account } = instance;
    destinationTeam.value = team === undefined ? undefined : { id: team, name: account?.name ?? '' };
    const there = { instanceId: from.id, account: sourceTeam.value?.id };
    phase.value = 'reading';
    const { signal } = reading;
    const { at } = beginWork();
    const to = instance.current;
    try {
      const [fromMeta, toMeta] = [
        await describeServer(callAt(there), from.origin),
        instance.meta ?? (await describeServer(callAt({ instanceId: to.id }), to.origin)),
      ];
      const bothHaveLinks = !isBaseContract(fromMeta) && !isBaseContract(toMeta);
      const offered = new Set(wanted.kinds.filter((kind) => kind !== 'links' || bothHaveLinks));
      const common = { kinds: offered, signal };
      const found = await readSource(at(there), {
        ...common,
        choice: wanted.choice,
        canExport: fromMeta.features.includes('export'),
        onProgress: (part) => (readFraction.value = part * 0.7),
      });
      const here = await readDestination(at(instance.destination), {
        ...common,
        origin: to.origin,
        isBaseContract: isBaseContract(toMeta),
        onProgress: (part) => (readFraction.value = 0.7 + part * 0.3),
      });
      if (signal.aborted) return;
      source.value = found;
      destination.value = here;
      readKinds.value = offered;
      phase.value = 'ready';
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      failure.value = sentenceOf(error);
      phase.value = 'choose';
    }
  }

  /** Copies all rows without a result: everything at first, the rest after a stop. */
  async function start(): Promise<void> {
    if (!destination.value) return;
    if (phase.value === 'ready') {
      names = {
        campaigns: idsByName(destination.value.campaigns),
        channels: idsByName(destination.value.channels),
      };
      results.value = new Map(
        rows.value.flatMap((row) => (willCopy(row) ? [] : [[row.key, resultOfLeft(row)] as const])),
      );
    }
    const waiting = rows.value.filter(({ key }) => !results.value.has(key));
    await doWork('copying', waiting.length, async (at) => {
      const isWhole = await runTransfer({
        at,
        rows: waiting,
        names,
        conflict: conflict.value,
        shouldStop: () => isStopping.value,
        onResult: note,
      });
      return isWhole ? 'done' : 'stopped';
    });
  }

  /** Retries failed rows. */
  async function retry(): Promise<void> {
    results.value = new Map([...results.value].filter(([, { outcome }]) => outcome !== 'failed'));
    await start();
  }

  /** Removes the records created by this copy, and nothing else. */
  async function undo(): Promise<void> {
    const byKey = new Map(rows.value.map((row) => [row.key, row]));
    const wanted = made.value.flatMap(({ key, result }) => {
      const row = byKey.get(key);
      return row ? [{ row, result }] : [];
    });
    await doWork('undoing', wanted.length, async (at) => {
      await undoTransfer({ at, made: wanted, shouldStop: () => isStopping.value, onResult: note });
      return made.value.length === 0 ? 'undone' : 'done';
    });
  }

  async function doWork(
    name: 'copying' | 'undoing',
    total: number,
    run: (at: ReturnType<ThrottledCall['at']>) => Promise<TransferPhase>,
  ): Promise<void> {
    const { at } = beginWork();
    phase.value = name;
    work.value = { done: 0, total };
    try {
      phase.value = await run(at({ instanceId: destinationId.value, account: destinationTeam.value?.id }));
    } catch (error) {
      if (!isAbort(error)) failure.value = sentenceOf(error);
      phase.value = name === 'copying' ? 'stopped' : 'done';
    }
    if (isShown()) tellLinkChange({ kind: 'many' });
  }

  function note(key: string, result: RowResult): void {
    // Mutated with `triggerRef`: creating a new map for each of ten thousand rows would dominate the run time.
    results.value.set(key, result);
    triggerRef(results);
    work.value = { ...work.value, done: work.value.done + 1 };
  }

  function tick(keys: readonly string[], picked: boolean): void {
    ticks.value = new Map([...ticks.value, ...keys.map((key) => [key, picked] as const)]);
  }

  /** Back to the first step; the selection is kept. */
  function reset(): void {
    if (sourceId.value === instance.currentId) {
      sourceId.value = undefined;
      sourceTeam.value = undefined;
      choice.value = {};
    }
    reading.abort();
    reading = new AbortController();
    patient.stop();
    phase.value = 'choose';
    source.value = undefined;
    destination.value = undefined;
    results.value = new Map();
    ticks.value = new Map();
    opensProtected.value = false;
    failure.value = undefined;
    readFraction.value = 0;
    pausedUntil.value = undefined;
  }

  // The preview applies to the destination it was created for. A running copy continues, and created records stay
  // listed for undo, until the page is left for another copy.
  watch(
    () => instance.scope,
    () => {
      if (isBusy.value || made.value.length > 0) return;
      choice.value = {};
      reset();
    },
  );

  return {
    phase,
    sourceId,
    sourceTeam,
    destinationId,
    destinationTeam,
    isShown,
    kinds,
    choice,
    conflict,
    opensProtected,
    isTicked,
    rows,
    toCopy,
    results,
    made,
    failed,
    protectedLinks,
    fraction,
    work,
    failure,
    isStopping,
    isRun,
    isBusy,
    pausedUntil,
    willCopy,
    check,
    start,
    retry,
    undo,
    tick,
    reset,
    /** The request in flight is completed, so that reported results are accurate. */
    cancel(): void {
      isStopping.value = true;
      patient.stop();
    },
  };
});

/** The result of a row that is not copied. */
function resultOfLeft(row: TransferRow): RowResult {
  return { outcome: row.state === 'exists' ? 'exists' : 'left' };
}

function idsByName(records: readonly { readonly id: number; readonly name: string }[]): Map<string, number> {
  return new Map(records.map(({ id, name }) => [foldName(name), id]));
}

/** The API's error message; '' for unexpected errors, for which the page has a generic message. */
function sentenceOf(error: unknown): string {
  return error instanceof ApiFailure ? error.message : '';
}
