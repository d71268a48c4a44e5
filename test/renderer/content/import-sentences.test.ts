// Why a row was refused, or what its days did, is told in the language of the app.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { speakFailures, toldFailure } from '../../../renderer/api/failure.ts';
import { failures as ar } from '../../../renderer/translations/ar/failures.ts';
import { failures as de } from '../../../renderer/translations/de/failures.ts';
import { failures as es } from '../../../renderer/translations/es/failures.ts';
import { failures as fr } from '../../../renderer/translations/fr/failures.ts';
import { failures as pt } from '../../../renderer/translations/pt/failures.ts';

const folder = join(import.meta.dirname, '../../../server');
/** Where a row is read, and the link that it makes. */
const files = [
  'aliases',
  'clean-row',
  'destination',
  'fields',
  'history',
  'passed-days',
  'rules',
  'targets',
].map((name) => `content/links/${name}.ts`);
const others = ['content/utms/service.ts', 'content/channels/most.ts', 'identity/plans/domain-choice.ts'];

/** The codes of all refusals that these files throw. */
const codes = [...files, ...others].flatMap((file) =>
  [...readFileSync(join(folder, file), 'utf8').matchAll(/rejected\(\s*'(\w+)'/g)].map(
    ([, code]) => code as string,
  ),
);

afterEach(() => speakFailures({}));

describe('the message for an import row', () => {
  it.each(Object.entries({ ar, de, es, fr, pt }))('exists for every error in %s', (_language, sentences) => {
    expect(codes.length).toBeGreaterThan(20);
    const ofPassedDays = ['test_over', 'archive_passed', 'delete_passed', 'days_passed'];
    const told = [...codes, ...ofPassedDays, 'plan_required', 'password_missing', 'password_needed'];
    expect(told.filter((code) => !sentences[code])).toEqual([]);
  });

  it('mentions both expired days, and names the invalid field', () => {
    const two = { code: 'test_over', codes: ['test_over', 'archive_passed'], message: 'Both, in English.' };
    const wrong = { code: 'invalid_settings', data: { field: 'settings.redirect' }, message: 'Correct it.' };
    expect([toldFailure(two), toldFailure(wrong)]).toEqual(['Both, in English.', 'Correct it.']);
    speakFailures(de);
    expect(toldFailure(two)).toBe(`${de.test_over} ${de.archive_passed}`);
    expect(toldFailure(wrong)).toContain('„settings.redirect“');
  });
});
