import type { messages as source } from '../../content/comparison/messages.ts';

export const comparison: (typeof source)['en'] = {
  comparison: {
    title: 'Statistiken vergleichen',
    name: 'Name',
    change: 'Änderung',
    figure: '{name}: ein Klick. | {name}: {clicks} Klicks.',
    gone: 'Nicht mehr verfügbar',
    remove: '{name} entfernen',
    removeColumn: 'Entfernen',
    addLinks: 'Links hinzufügen',
    addHint: 'Bis zu {n} lassen sich gleichzeitig vergleichen.',
    full: 'Mehr als {n} lassen sich nicht gleichzeitig vergleichen.',
    empty: 'Noch nichts zu vergleichen',
    emptyHint: 'Bis zu {n} Links, Kampagnen oder Kanäle auswählen und in einem Diagramm sehen.',
    add: { campaign: 'Kampagne hinzufügen', channel: 'Kanal hinzufügen' },
    short: { link: 'Links', campaign: 'Kampagne', channel: 'Kanal' },
  },
};
