import type { BioChange } from '../../contract/bio.ts';
import {
  type BioColors,
  type BioFont,
  type BioShape,
  type BioThemeName,
  bioLook,
  unreadable,
} from '../../contract/bio-themes.ts';
import { planRequired, rejected } from '../../platform/errors.ts';
import type { Account } from '../../platform/http/caller.ts';
import { readAlias } from '../links/aliases.ts';
import type { BioRecord } from './queries.ts';

interface Context {
  account: Account;
  /** Id of a domain by id, host name or address; null is the instance's own. Throws 400. */
  domainOf: (reference: number | string, userId: number) => number | null;
  readAddress: (text: string, field: string) => string;
}

const usualTheme: BioThemeName = 'plain';

/** The defaults of a new page. An empty alias means a random one. */
export const emptyRecord: Omit<BioRecord, 'name'> = {
  domain_id: null,
  alias: '',
  title: null,
  description: null,
  avatar: null,
  theme: usualTheme,
  colors: '{}',
  shape: null,
  font: null,
  blocks: '[]',
  next_block: 1,
};

/**
 * Applies what a client sent, but for the blocks, to a page's record; null and '' clear. Gates of the plan come before
 * every look-up (decision 0004). Throws 400 with the field at fault, or 403 `plan_required`.
 */
export function applyBioChange(
  change: Omit<BioChange, 'blocks'>,
  record: BioRecord,
  { account, domainOf, readAddress }: Context,
): BioRecord {
  if (change.alias && change.alias !== record.alias && !account.plan.permissions.alias) {
    throw planRequired('alias');
  }
  const next = { ...record };
  if (change.name !== undefined) next.name = change.name;
  if (change.title !== undefined) next.title = change.title || null;
  if (change.description !== undefined) next.description = change.description || null;
  if (change.alias && change.alias !== record.alias) next.alias = readAlias(change.alias, 'alias');
  if (change.domain !== undefined) {
    next.domain_id = change.domain ? domainOf(change.domain, account.user.id) : null;
  }
  if (change.avatar !== undefined) {
    next.avatar = change.avatar ? readAddress(change.avatar, 'avatar') : null;
  }
  if (change.theme !== undefined) next.theme = change.theme ?? usualTheme;
  if (change.colors !== undefined) next.colors = JSON.stringify(change.colors ?? {});
  if (change.shape !== undefined) next.shape = change.shape;
  if (change.font !== undefined) next.font = change.font;
  if (change.theme !== undefined || change.colors !== undefined) checkContrast(next);
  return next;
}

/** Both were checked against the contract when they were written. */
function lookOf({ theme, colors, shape, font }: Pick<BioRecord, 'theme' | 'colors' | 'shape' | 'font'>) {
  return bioLook(theme as BioThemeName, JSON.parse(colors) as BioColors, {
    shape: shape as BioShape | null,
    font: font as BioFont | null,
  });
}

function checkContrast(record: BioRecord): void {
  const [fault] = unreadable(lookOf(record));
  if (fault === undefined) return;
  const message =
    fault === 'text'
      ? 'The text is hard to read on this background. Choose colors with more contrast.'
      : 'The button text is hard to read. Choose colors with more contrast.';
  throw rejected('low_contrast', `colors.${fault}`, message);
}
