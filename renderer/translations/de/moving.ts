import type { messages as source } from '../../content/moving/messages.ts';

export const moving: (typeof source)['en'] = {
  moving: {
    action: 'Verschieben nach …',
    title: '{n} Eintrag in ein anderes Konto verschieben | {n} Einträge in ein anderes Konto verschieben',
    description: 'Kurzlinks, Statistik und Verlauf ziehen mit um. Das lässt sich rückgängig machen.',
    to: 'Konto',
    personal: 'Persönliches Konto',
    related: 'Was geschieht mit dem, was sie verwenden?',
    choices: {
      move: { name: 'Auch verschieben', help: 'Was hierbleibt, verliert es.' },
      copy: { name: 'Kopieren', help: 'Jedes Konto hat sein eigenes.' },
      leave: { name: 'Hier lassen', help: 'Was umzieht, verliert es.' },
    },
    uses: 'Verwendet werden: {names}.',
    more: '{n} weitere',
    taken: '{name} (schon dort)',
    codes: '{n} QR-Code zieht mit um. | {n} QR-Codes ziehen mit um.',
    submit: 'Verschieben',
    done: '{n} Eintrag nach {name} verschoben. | {n} Einträge nach {name} verschoben.',
    none: 'Nichts wurde verschoben.',
    skipped: {
      not_found: '{n} gibt es nicht mehr. | {n} gibt es nicht mehr.',
      role_too_low:
        '{n} bleibt: Die eigene Rolle reicht nicht. | {n} bleiben: Die eigene Rolle reicht nicht.',
      plan_limit:
        '{n} bleibt: Das Limit des Tarifs ist erreicht. | {n} bleiben: Das Limit des Tarifs ist erreicht.',
      domain:
        '{n} bleibt: Die Domain ist dort nicht verwendbar. | {n} bleiben: Ihre Domains sind dort nicht verwendbar.',
    },
  },
};
