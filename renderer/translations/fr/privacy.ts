import type { messages as source } from '../../visits/privacy/messages.ts';

export const privacy: (typeof source)['en'] = {
  privacy: {
    title: 'Vie privée des visiteurs',
    description: 'S’applique aux nouvelles visites de vos liens, pages et codes.',
    byInstance: 'Défini pour tous par l’administrateur.',
    noReferrer: {
      label: 'Ne pas conserver les référents',
      help: 'D’où viennent les visiteurs.',
    },
    noBrowser: {
      label: 'Ne pas conserver les navigateurs',
      help: 'Navigateur, système, appareil et langue.',
    },
    noPlace: {
      label: 'Ne pas conserver les lieux',
      help: 'Pays, région, ville et adresse IP.',
    },
    noSignedIn: {
      label: 'Ne pas compter les personnes connectées',
      help: 'À l’URL propre à cette instance, elles ne sont pas comptées dans le navigateur où elles utilisent l’appli. Sur les domaines personnalisés, et avec l’appli de bureau aussi à l’URL de cette instance, elles ne sont pas comptées dans un navigateur où elles ont ouvert un de leurs liens depuis l’appli au cours des 30 derniers jours.',
    },
    keep: {
      label: 'Conserver de chaque visite',
      help: 'Avec « Le nombre seulement », les visiteurs uniques ne sont pas connus. Les clics déjà conservés restent tels quels.',
      clicks: 'Les clics avec leurs détails',
      counts: 'Le nombre seulement',
      nothing: 'Rien du tout',
    },
    parameters: {
      title: 'Paramètres d’URL',
      description: 'Comptés pour les nouvelles visites, en plus des valeurs UTM.',
      label: 'Noms',
      help: 'Cinq au plus, séparés par des virgules. Les statistiques montrent les valeurs avec lesquelles les liens courts sont ouverts, par exemple /sale?ref=poster.',
    },
    own: {
      title: 'Vos propres visites',
      description:
        'Ouvrez une fois chaque URL ci-dessous dans chaque navigateur dont les visites ne doivent pas y être comptées.',
    },
    notKept: {
      intro: 'Non conservé des nouvelles visites : {what}',
      referrer: 'référents',
      browser: 'navigateurs, systèmes, appareils, langues',
      place: 'lieux',
      visitors: 'tout sauf leur nombre',
      clicks: 'tout',
      signedin: 'visites de personnes connectées',
    },
  },
};
