/** One numbered SQL file; `version` is its number and what `user_version` reads afterwards. */
export interface Migration {
  version: number;
  name: string;
  sql: string;
}
