/** Where a parameter's value counts for the planner. It does not behind `!=`, `<=` and `>=`. */
const lookedAt = /(?:(?<![!<>])=|\b(?:IS|LIMIT|OFFSET))\s*(?=[?@])/g;

/**
 * SQL with the same meaning that SQLite compiles once, rather than once for each execution.
 *
 * The planner estimates the rows that `column = ?` and `LIMIT ?` leave by looking at the value of the parameter, unless
 * a unique index answers the whole statement. SQLite therefore compiles such a statement again whenever a value is
 * bound to it (`sqlite3VdbeSetVarmask` in its source). For a join of two tables that took ten times as long as the
 * execution. The planner does not look behind a unary plus, which changes neither values nor the choice of an index.
 * SQLite's own switch against it, SQLITE_DBCONFIG_ENABLE_QPSG, cannot be reached from better-sqlite3.
 */
export function planOnce(sql: string): string {
  return sql.replace(lookedAt, '$&+');
}
