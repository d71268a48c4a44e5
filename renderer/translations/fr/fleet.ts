import type { messages as source } from '../../network/fleet/messages.ts';

export const fleet: (typeof source)['en'] = {
  fleet: {
    title: 'Flotte',
    description:
      'D’autres machines répondent à vos liens courts, même quand celle-ci est en veille. Un serveur NATS les garde à jour.',
    states: {
      off: 'Désactivée',
      connecting: 'Connexion…',
      connected: 'Connectée',
      unreachable: 'Injoignable',
      refused: 'Refusée',
    },
    reasons: {
      address: 'Saisissez une adresse comme nats://engine.example.com:4222, sans utilisateur.',
      unreachable:
        'Le serveur NATS ne répond pas à l’adresse {detail}. Vérifiez l’adresse et qu’il fonctionne.',
      no_engine:
        'Ce qui répond à l’adresse {detail} n’est pas un serveur NATS. Vérifiez l’adresse et le port.',
      ended: 'La connexion au serveur NATS s’est interrompue. Une nouvelle tentative est en cours.',
      credentials: 'Le serveur NATS refuse ces identifiants. Vérifiez-les.',
      rights:
        'Il manque à cet utilisateur du serveur NATS des droits nécessaires à la flotte. Utilisez la configuration qu’affiche « waypost fleet config ».',
      no_jetstream: 'JetStream est désactivé sur le serveur NATS. Activez-le (nats-server -js) et réessayez.',
      tls: 'La connexion TLS au serveur NATS a échoué : {detail}. Si son certificat vient de votre propre autorité, démarrez ce serveur avec NODE_EXTRA_CA_CERTS pointant vers le fichier de celle-ci.',
      no_tls:
        'Le serveur NATS à l’adresse {detail} n’utilise pas TLS. Activez-le sur ce serveur, ou commencez l’adresse par nats://.',
      old_engine:
        'Le serveur NATS est en version {detail}. Mettez-le à jour vers la 2.9 ou une version ultérieure.',
      no_room:
        'Le serveur NATS n’a plus de place pour la flotte. Donnez plus d’espace à JetStream (max_file_store).',
      clicks_full:
        'Le serveur NATS n’a plus de place pour les clics. Ils attendent sur leurs nœuds jusqu’à ce que ce serveur ait repris ceux qui s’y trouvent.',
      taken:
        'Un autre serveur écrit cette flotte : une autre instance, une copie de ce dossier de données, ou une instance restaurée ailleurs. Arrêtez-le ou reprenez la flotte.',
      locked:
        'Les secrets de la flotte ne peuvent pas être ouverts : la clé de l’instance n’est plus celle de leur saisie. Remettez cette clé, ou reprenez la flotte et saisissez tout à nouveau : une nouvelle flotte commence et les nœuds doivent la rejoindre.',
      failed: 'La flotte n’a pas pu utiliser le serveur NATS : {detail}.',
    },
    noAddress: 'Aucune URL publique définie',
    noAddressHelp: 'Les nœuds répondent sous votre URL publique. Définissez-la d’abord.',
    setAddress: 'Définir l’URL publique',
    enabled: 'Utiliser une flotte',
    enabledHelp: 'Envoyer liens et pages aux nœuds, et recevoir leurs clics.',
    url: 'Serveur NATS',
    urlHelp: 'Commence par nats://, tls://, ws:// ou wss://. Séparez plusieurs serveurs par des virgules.',
    signin: 'Se connecter avec',
    signins: {
      user: 'Utilisateur et mot de passe',
      token: 'Jeton',
      credentials: 'Fichier d’identification',
      none: 'Rien',
    },
    user: 'Utilisateur',
    password: 'Mot de passe',
    token: 'Jeton',
    credentials: 'Identification',
    credentialsHelp: 'Collez le texte du fichier .creds.',
    secretHelp: 'Enregistré chiffré et jamais affiché. Laissez vide pour garder la valeur enregistrée.',
    edgeuser: 'Utilisateur des nœuds',
    edgeuserHelp:
      'Un second utilisateur aux droits réduits. La commande « waypost fleet config --passwords » crée les deux.',
    edgepassword: 'Mot de passe des nœuds',
    signingkey: 'Clé de signature',
    signingkeyHelp: 'Collez la ligne de signing.key. Elle donne à chaque nœud ses propres droits.',
    operatorkey: 'Clé d’opérateur',
    operatorkeyHelp:
      'Facultatif. Collez le texte de operator.key pour que le serveur NATS bloque lui-même les nœuds révoqués.',
    test: 'Tester la connexion',
    tested: 'Le serveur NATS répond et a ce qu’il faut à une flotte.',
    takeOver: {
      open: 'Reprendre',
      title: 'Reprendre cette flotte ?',
      description:
        'L’autre serveur cesse d’y écrire. Ne le faites que si ce serveur n’existe plus ou si vous avez migré vers celui-ci.',
      action: 'Reprendre',
      done: 'Flotte reprise',
    },
    engine: {
      servers: 'Serveurs',
      streams: 'Flux',
      bytes: 'Stocké',
      position: 'Dernière modification envoyée',
      oldest: 'Plus ancienne modification conservée',
    },
    edges: {
      title: 'Nœuds',
      description:
        'Les machines qui répondent à vos liens courts. Faites pointer vos domaines vers leurs adresses IP.',
      add: 'Ajouter un nœud',
      empty: 'Aucun nœud',
      emptyHelp: 'Ajoutez-en un, puis exécutez la commande obtenue sur l’autre machine.',
      emptyOff: 'Activez la flotte pour ajouter des nœuds.',
      states: {
        waiting: 'Pas encore inscrit',
        current: 'À jour',
        behind: 'En retard',
        away: 'Absent',
        revoked: 'Révoqué',
      },
      reasons: {
        update: 'Ce serveur a une version plus récente. Mettez le nœud à jour ; il continue avec ce qu’il a.',
        disk_full:
          'Son disque n’a pas la place pour une nouvelle copie des liens. Libérez-y de l’espace ; il continue avec ce qu’il a.',
        clock_ahead:
          'Son horloge avance de {detail} min sur celle de ce serveur. Réglez celle qui est fausse.',
        clock_behind:
          'Son horloge retarde de {detail} min sur celle de ce serveur. Réglez celle qui est fausse.',
        unreadable:
          'Des messages illisibles envoyés au nom du nœud ont été ignorés : {detail}. S’il en arrive d’autres, quelqu’un d’autre utilise peut-être ses identifiants : révoquez le nœud et ajoutez-le de nouveau.',
        no_room:
          'Le serveur NATS n’a plus de place. Donnez plus d’espace à JetStream (max_file_store) ; les clics attendent sur le nœud.',
        clicks_full:
          'Le serveur NATS n’a plus de place pour les clics. Ils attendent sur le nœud jusqu’à ce que ce serveur ait repris ceux qui s’y trouvent.',
        failed:
          'Le serveur NATS ne prend pas ses clics. Ils attendent sur le nœud, dont le journal dit pourquoi.',
      },
      version: 'Version',
      addresses: 'Adresses',
      since: 'Inscrit',
      rate: 'Requêtes par seconde',
      lag: 'Retard',
      lagBy: '{count} modification, {seconds} s | {count} modifications, {seconds} s',
      waiting: 'En attente d’envoi',
      lost: 'Depuis le démarrage du nœud, une visite n’a pas été comptée, car son disque était plein. Elle a tout de même atteint sa destination. | Depuis le démarrage du nœud, {count} visites n’ont pas été comptées, car son disque était plein. Elles ont tout de même atteint leur destination.',
      noLag: 'Aucun',
      none: 'Aucune',
      revoke: 'Révoquer',
      cutoff: 'Le serveur NATS accepte encore ce nœud. Exécutez ceci une fois là où se trouve operator.key :',
      revokeNamed: 'Révoquer {name}',
    },
    form: {
      title: 'Ajouter un nœud',
      description: 'Une machine qui répondra à vos liens courts.',
      name: 'Nom',
      nameRequired: 'Saisissez un nom.',
      region: 'Région',
      regionHelp: 'Pour vous seulement, par exemple une ville.',
      submit: 'Ajouter un nœud',
    },
    made: {
      title: 'Exécutez cette commande sur le nœud',
      description: 'Elle n’est affichée qu’une fois et fonctionne une fois, pendant une heure.',
      copy: 'Copier la commande',
      done: 'Terminé',
    },
    revoke: {
      title: 'Révoquer {name} ?',
      description:
        'Il cesse immédiatement de répondre et ne pourra plus jamais s’inscrire. Les clics qu’il a envoyés sont conservés.',
      action: 'Révoquer',
      done: 'Nœud révoqué',
    },
  },
};
