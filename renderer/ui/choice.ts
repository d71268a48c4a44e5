/** A record that can be chosen; `class` indents nested ones. */
export interface Choice {
  readonly label: string;
  readonly value: number;
  readonly class?: string;
}
