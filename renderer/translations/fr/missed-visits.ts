import type { messages as source } from '../../content/unmatched/messages.ts';

export const missedVisits: (typeof source)['en'] = {
  missed: {
    title: 'Visites perdues',
    path: 'Chemin',
    kind: 'Type',
    kinds: {
      unknown: 'Alias inconnu',
      bare: 'Domaine seul',
      probe: 'Sondage automatique',
    },
    visits: 'Visites',
    referrer: 'Dernier référent',
    when: 'Dernière visite',
    taken: 'a maintenant un lien',
    create: 'Créer un lien',
    delete: 'Supprimer',
    deleteAll: 'Tout supprimer',
    all: 'tous les types',
    deleteAllTitle: 'Supprimer les visites perdues : {what} ?',
    deleteAllHelp: 'Elles ne peuvent pas être restaurées. Les statistiques des liens ne changent pas.',
    deleted: 'Aucune visite supprimée | Une visite supprimée | {n} visites supprimées',
    none: 'Aucune visite perdue',
    noneHelp: 'Quand quelqu’un ouvre une URL sans lien, elle s’affiche ici.',
  },
};
