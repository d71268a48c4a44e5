import type { RunResult, Statement } from 'better-sqlite3';

/**
 * A statement that is compiled when it is first used. A start prepares hundreds and uses a few: to compile them all was
 * half of its work. Wrong SQL is therefore found by whoever runs it first; a test compiles every statement of the
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
