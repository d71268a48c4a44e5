import type { DeviceName } from '../../contract/rules.ts';
import type { Visitor } from '../clicks/click.ts';

/** A visitor with what rules and pages need beyond the click log. */
export interface KnownVisitor extends Visitor {
  readonly address: string;
  /** By ISO 3166-2, as `US-CA`; '' where it is not known. */
  readonly regionCode: string;
  readonly devices: readonly DeviceName[];
  /** Lower-case tags, most wanted first. */
  readonly languages: readonly string[];
  /** Fetches links only to draw a preview of them. */
  readonly previewBot: boolean;
  /** Is in the browser that an app has inside itself, on a phone. */
  readonly inApp: boolean;
  /** Comes from an address whose visits are not counted. */
  readonly uncounted: boolean;
  /** What rules compare with; found out when the first of them asks. */
  tokens: VisitorTokens | undefined;
}

/** What conditions on a visitor are compared with: in lower case, nothing where it is not known. */
export type VisitorTokens = Readonly<
  Record<
    'continent' | 'country' | 'region' | 'regionCode' | 'city' | 'device' | 'os' | 'browser' | 'language',
    readonly string[]
  >
>;
