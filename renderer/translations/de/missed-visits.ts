import type { messages as source } from '../../content/unmatched/messages.ts';

export const missedVisits: (typeof source)['en'] = {
  missed: {
    title: 'Verpasste Besuche',
    path: 'Pfad',
    kind: 'Art',
    kinds: {
      unknown: 'Unbekannter Alias',
      bare: 'Domain ohne Pfad',
      probe: 'Ausspähversuch',
    },
    visits: 'Besuche',
    referrer: 'Letzter Referrer',
    when: 'Letzter Besuch',
    taken: 'hat jetzt einen Link',
    create: 'Link erstellen',
    delete: 'Löschen',
    deleteAll: 'Alle löschen',
    all: 'alle Arten',
    deleteAllTitle: 'Verpasste Besuche löschen: {what}?',
    deleteAllHelp: 'Sie lassen sich nicht wiederherstellen. Die Statistik der Links ändert sich nicht.',
    deleted: 'Kein Besuch gelöscht | Ein Besuch gelöscht | {n} Besuche gelöscht',
    none: 'Keine verpassten Besuche',
    noneHelp: 'Öffnet jemand eine URL ohne Link, erscheint sie hier.',
  },
};
