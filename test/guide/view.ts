import type { Page } from 'playwright';

/** A page or a form of the app, as somebody sees it. */
export interface View {
  name: string;
  /** May name a place of the example instance, such as `{invitation}`. */
  path: string;
  /** Whether visitors see it, outside of the app. */
  isPublic?: boolean;
  /** Whether it is seen before one signs in. */
  isSignedOut?: boolean;
  /** What stands in for something that the example instance does not have; it goes with what this returns. */
  prepare?: (page: Page) => Promise<AsyncDisposable>;
  /** What a person does before the picture is made. */
  steps?: (page: Page) => Promise<void>;
  /** Where that leads, such as `/links/1`. */
  at?: string;
  /** The component of the dialog that is open then. */
  form?: string;
}

/** The path of a view on an instance that has these places. */
export function pathOf({ path }: View, places: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, place: string) => places[place] ?? '');
}
