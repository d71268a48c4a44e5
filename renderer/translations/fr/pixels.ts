import type { messages as source } from '../../content/pixels/messages.ts';

export const pixels: (typeof source)['en'] = {
  pixels: {
    title: 'Pixels',
    search: 'Rechercher des pixels',
    create: 'Nouveau pixel',
    saved: 'Pixel enregistré',
    made: 'Pixel « {name} » créé',
    deleted: 'Pixel « {name} » supprimé',
    list: {
      name: 'Pixel',
      tag: 'Balise',
      fires: 'Éléments chargés',
      links: 'Liens',
      made: 'Création',
      actions: 'Actions pour {name}',
    },
    firesShort: {
      pictures: 'Une image | Une image | {n} images',
      script: 'Script',
    },
    empty: {
      title: 'Reciblez vos visiteurs',
      description:
        'Un pixel charge brièvement la balise d’un service publicitaire ou de mesure d’audience avant la redirection, pour mesurer et recibler les visiteurs.',
    },
    actions: {
      open: 'Éléments chargés',
      edit: 'Modifier',
      copyTag: 'Copier la balise',
      links: 'Afficher ses liens',
      delete: 'Supprimer',
    },
    confirm: {
      title: 'Supprimer « {name} » ?',
      description: 'Il est retiré de tous les liens. Cette action est irréversible.',
      action: 'Supprimer le pixel',
    },
    form: {
      newTitle: 'Nouveau pixel',
      editTitle: 'Modifier le pixel',
      newDescription: 'Ajouter la balise d’un service publicitaire ou de mesure d’audience.',
      editDescription: 'Modifier le nom ou la balise du pixel.',
      create: 'Créer le pixel',
      save: 'Enregistrer',
      type: 'Service',
      typeFixed: 'Le service ne peut pas être changé. Pour un autre service, créez un autre pixel.',
      name: 'Nom',
      namePlaceholder: 'Boutique, tous les visiteurs',
      nameRequired: 'Saisissez un nom.',
      tag: 'Balise',
      tagHelp: 'Par exemple {example}. Vous pouvez aussi coller le code entier.',
      tagInvalid: 'Saisissez uniquement l’ID, comme {example}.',
      tagUnusual:
        'Les ID {service} ressemblent d’habitude à {example}. Vous pouvez tout de même enregistrer celui-ci.',
      taken: 'Extraite du code que vous avez collé.',
      find: 'Où la trouver',
    },
    page: {
      one: 'Pixel',
      missing: 'Pixel introuvable',
      missingHint: 'Il a peut-être été supprimé.',
      toList: 'Tous les pixels',
      back: 'Revenir à tous les pixels',
      edit: 'Modifier le pixel',
      what: 'Éléments chargés',
      whatHint: 'Une page charge ceci pour chaque visiteur, puis redirige vers la destination.',
      where: 'Où le pixel se déclenche',
      links: 'Liens qui l’utilisent',
      noLinks: 'Aucun lien ne l’utilise encore. Choisissez-le en modifiant un lien, sous « Pixels ».',
      allLinks: 'Tout afficher ({n})',
      unknown: 'Ce serveur n’indique pas ce que chargent ses pixels.',
      full: 'Accès complet',
      sandboxed: 'Isolé',
    },
    fires: {
      picture: 'Image : une seule requête, sans script',
      script: 'Le script du service lui-même',
      copy: 'Copier l’URL',
      pictureHosts: 'Ne peut être redirigée que vers ces hôtes :',
      scriptHosts: 'Ne peut envoyer de données qu’à ces hôtes :',
      anyHost: 'Le conteneur décide de ce qui est encore chargé : toute URL https est permise.',
    },
    where: {
      branded: 'Liens sur vos domaines personnalisés',
      brandedText: 'Accès complet : le service voit la visite comme sur toute autre page.',
      own: 'Liens sur {host}',
      ownPicture:
        'Isolé : l’image est demandée depuis une page qui n’atteint pas cette interface d’administration. La requête est la même.',
      ownScript:
        'Isolé : le script s’exécute sans cookies ni stockage, dans une page qui n’atteint pas cette interface d’administration. Certains services comptent alors moins de visites.',
    },
    ofLink: {
      title: 'Pixels',
      before: 'Chargés pour chaque visiteur avant la redirection.',
      within: 'Chargés avec la page du lien.',
      show: 'Voir ce que charge {name}',
    },
    field: {
      title: 'Pixels',
      choose: 'Choisir des pixels',
      chosen: 'Aucun | Un pixel | {n} pixels',
      help: 'Chargés brièvement avant la redirection.',
      none: 'Aucun pixel pour l’instant.',
      make: 'En créer un',
      notInPlan: 'Votre forfait ne comprend pas les pixels.',
    },
    vendors: {
      gtmpixel: {
        name: 'Google Tag Manager',
        where: 'tagmanager.google.com : ouvrez le conteneur. Son ID est en haut, près de « Prévisualiser ».',
      },
      gapixel: {
        name: 'Google Analytics',
        where: 'Admin, puis Flux de données : ouvrez le flux web. L’ID de mesure commence par G-.',
      },
      fbpixel: {
        name: 'Meta (Facebook)',
        where:
          'Gestionnaire d’évènements, puis Sources de données : sélectionnez le pixel. Son ID est sous son nom.',
      },
      adwordspixel: {
        name: 'Google Ads',
        where:
          'Objectifs, puis Conversions : ouvrez l’action et la configuration de sa balise. Copiez la valeur de send_to, ou seulement le numéro AW- pour le remarketing.',
      },
      linkedinpixel: {
        name: 'LinkedIn',
        where:
          'Campaign Manager, puis Données, Gestionnaire de signaux : Insight Tag. Copiez l’ID partenaire.',
      },
      twitterpixel: {
        name: 'X (Twitter)',
        where: 'X Ads, puis Outils, Gestionnaire d’événements : l’ID du pixel est dans l’en-tête.',
      },
      adrollpixel: {
        name: 'AdRoll',
        where:
          'Paramètres, puis Pixel : le code contient adroll_adv_id et adroll_pix_id. Saisissez les deux, séparés par une barre oblique.',
      },
      quorapixel: {
        name: 'Quora',
        where: "Ads Manager, puis Quora Pixel : configuration. L’ID est dans qp('init', …).",
      },
      pinterest: {
        name: 'Pinterest',
        where: 'Gestionnaire de publicités, puis Conversions, Gestionnaire de balises : l’ID de balise.',
      },
      bing: {
        name: 'Microsoft Advertising',
        where: 'Outils, puis Balise UET : le nombre dans la colonne ID de balise.',
      },
      snapchat: {
        name: 'Snapchat',
        where:
          'Gestionnaire d’événements : ouvrez le pixel. Son ID a cinq groupes de lettres et de chiffres.',
      },
      reddit: {
        name: 'Reddit',
        where: 'Gestionnaire d’événements : l’ID du pixel commence par t2_ ou a2_.',
      },
      tiktok: {
        name: 'TikTok',
        where: 'Gestionnaire d’événements, puis Événements web : l’ID du pixel sous son nom.',
      },
    },
  },
};
