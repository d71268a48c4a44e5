import type { RunResult, Statement } from 'better-sqlite3';

/**
 * A statement that is compiled on first use. A start prepares hundreds and uses a few: compiling them all took half of
 * the startup time. Invalid SQL is therefore detected only on first use; a test compiles every statement of the
 * server.
 */
export class LazyStatement {
  readonly #compile: () => Statement;
  readonly #modes: ((statement: Statement) => void)[] = [];
  #statement: Statement | undefined;

  constructor(compile: () => Statement) {
    this.#compile = compile;
  }

  all(...values: unknown[]): unknown[] {
    return this.#compiled().all(...values);
  }

  get(...values: unknown[]): unknown {
    return this.#compiled().get(...values);
  }

  iterate(...values: unknown[]): IterableIterator<unknown> {
    return this.#compiled().iterate(...values);
  }

  run(...values: unknown[]): RunResult {
    return this.#compiled().run(...values);
  }

  pluck(isOn = true): this {
    return this.#inMode((statement) => statement.pluck(isOn));
  }

  raw(isOn = true): this {
    return this.#inMode((statement) => statement.raw(isOn));
  }

  #inMode(mode: (statement: Statement) => void): this {
    if (this.#statement) mode(this.#statement);
    else this.#modes.push(mode);
    return this;
  }

  #compiled(): Statement {
    if (this.#statement) return this.#statement;
    const statement = this.#compile();
    for (const mode of this.#modes.splice(0)) mode(statement);
    this.#statement = statement;
    return statement;
  }
}
