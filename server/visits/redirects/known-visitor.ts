import type { DeviceName } from '../../contract/rules.ts';
import type { Visitor } from '../clicks/click.ts';

/** A visitor, with data that rules and pages need beyond the click log. */
export interface KnownVisitor extends Visitor {
  readonly address: string;
  /** By ISO 3166-2, as `US-CA`; '' if unknown. */
  readonly regionCode: string;
  readonly devices: readonly DeviceName[];
  /** Lower-case tags, most preferred first. */
  readonly languages: readonly string[];
  /** Fetches links only to render previews. */
  readonly previewBot: boolean;
  /** Uses an app's built-in browser on a phone. */
  readonly inApp: boolean;
  /** Has an address whose visits are not counted. */
  readonly uncounted: boolean;
  /** The values that rules compare; computed on first use. */
  tokens: VisitorTokens | undefined;
}

/** The values that visitor conditions compare: lower case, empty if unknown. */
export type VisitorTokens = Readonly<
  Record<
    'continent' | 'country' | 'region' | 'regionCode' | 'city' | 'device' | 'os' | 'browser' | 'language',
    readonly string[]
  >
>;
