import UApp from '@nuxt/ui/components/App.vue';
import { mount, type VueWrapper } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { h } from 'vue';
import { showLanguage } from '../../../renderer/language.ts';
import DomainTimeline from '../../../renderer/network/domains/DomainTimeline.vue';
import { pageRouter } from '../../../renderer/router.ts';
import { sentencesReady, translations } from '../../../renderer/ui/sentences.ts';
import type { DomainDetails, DomainEvent } from '../../../server/contract/domains.ts';

let wrapper: VueWrapper | undefined;
beforeEach(() => setActivePinia(createPinia()));
afterEach(async () => {
  wrapper?.unmount();
  await showLanguage('en');
});

/** The text of a log with one entry, in German. */
async function readLog(event: DomainEvent, details: DomainDetails | null): Promise<string> {
  const sentences = translations();
  await showLanguage('de');
  await sentencesReady();
  const date = '2026-11-29 12:00:00';
  const entry = { id: 1, event, message: 'The server’s own words.', details, date };
  const props = { host: 'go.example.com', entries: [entry], nextCheck: null };
  wrapper = mount(() => h(UApp, () => h(DomainTimeline, props)), {
    global: { plugins: [sentences, pageRouter()] },
  });
  return wrapper.text();
}

test.each<[DomainEvent, DomainDetails, string]>([
  ['added', { address: '192.0.2.1' }, 'go.example.com führt zu 192.0.2.1.'],
  ['dns_passed', { reason: 'direct', address: '192.0.2.1' }, 'führt zu diesem Server (192.0.2.1).'],
  ['dns_failed', { reason: 'elsewhere', address: '192.0.2.9' }, 'das ist nicht dieser Server.'],
  ['dns_failed', { reason: 'unresolved' }, 'Kein DNS-Eintrag für go.example.com gefunden.'],
  ['dns_failed', { reason: 'unanswered' }, 'Die Nameserver haben für go.example.com nicht geantwortet.'],
  ['dns_failed', { reason: 'address_unknown', address: '192.0.2.9' }, 'kennt ihre öffentliche Adresse nicht'],
  ['proof_missing', { until: '2026-12-06 12:00:00' }, 'Ohne Bestätigung wird die Domain am 06.12.2026'],
  ['proved', { reason: 'record' }, 'Der TXT-Eintrag wurde gefunden.'],
  ['activated', {}, 'Besucher von go.example.com werden zu den Zielen weitergeleitet.'],
  ['certificate_issued', { until: '2027-02-27 12:00:00' }, 'Gültig bis 27.02.2027'],
  ['certificate_failed', { reason: 'unreachable' }, 'Die Zertifizierungsstelle ist nicht erreichbar.'],
  ['certificate_failed', { reason: 'refused', answer: 'rate limited' }, 'Noch kein Zertifikat: rate limited'],
  ['certificate_revoked', {}, 'Ein neues wird bestellt.'],
])('the log of a domain says %s with %o in the reader’s language', async (event, details, text) => {
  const shown = await readLog(event, details);
  expect(shown).toContain(text);
  expect(shown).not.toContain('The server’s own words.');
});

test('the log of a domain shows the server’s words if it has no facts', async () => {
  expect(await readLog('dns_failed', null)).toContain('The server’s own words.');
});
