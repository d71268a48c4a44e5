import type { messages as source } from '../../content/comparison/messages.ts';

export const comparison: (typeof source)['en'] = {
  comparison: {
    title: 'Comparer les statistiques',
    name: 'Nom',
    change: 'Évolution',
    figure: '{name} : {clicks} clic. | {name} : {clicks} clics.',
    gone: 'N’est plus disponible',
    remove: 'Retirer {name}',
    removeColumn: 'Retirer',
    addLinks: 'Ajouter des liens',
    addHint: 'Comparez jusqu’à {n} éléments à la fois.',
    full: 'Vous pouvez comparer {n} éléments à la fois.',
    empty: 'Rien à comparer pour l’instant',
    emptyHint: 'Choisissez jusqu’à {n} liens, campagnes ou canaux pour les voir dans un même graphique.',
    add: { campaign: 'Ajouter une campagne', channel: 'Ajouter un canal' },
    short: { link: 'Liens', campaign: 'Campagne', channel: 'Canal' },
  },
};
