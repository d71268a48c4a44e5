/** A numbered SQL file; `version` is its number, and the value of `user_version` afterwards. */
export interface Migration {
  version: number;
  name: string;
  sql: string;
}
