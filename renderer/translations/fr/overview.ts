import type { messages as source } from '../../visits/overview/messages.ts';

export const overview: (typeof source)['en'] = {
  overview: {
    scope: { campaign: 'Campagne', channel: 'Canal', domain: 'Domaine' },
    title: 'Vue d’ensemble',
    newLink: 'Nouveau lien',
    links: 'Liens',
    active: 'Actifs : {count}',
    top: { title: 'Les plus cliqués par', campaigns: 'Campagnes', channels: 'Canaux', domains: 'Domaines' },
    topLinks: 'Liens les plus cliqués',
    allLinks: 'Tous les liens',
    noTop: 'Aucun clic sur cette période',
    instance: {
      disk: {
        low: 'Le disque du serveur est presque plein. Les liens courts fonctionnent toujours, mais les visites ne sont plus comptées. Libérez de l’espace.',
        full: 'Le disque du serveur est plein. Les liens courts fonctionnent toujours, mais plus rien ne peut être enregistré. Supprimez des fichiers ou des liens, ou libérez de l’espace.',
      },
      damage:
        'La base de données du serveur est endommagée. Ne modifiez rien, arrêtez le serveur et restaurez une sauvegarde. Il ne redémarrera pas avec le fichier endommagé.',
      secrets: {
        other:
          'Certains secrets ne peuvent pas être ouverts, car le fichier vault.key du dossier de données vient d’un autre ordinateur : {what}. Remettez le bon fichier vault.key et redémarrez le serveur, ou saisissez-les à nouveau.',
        missing:
          'Certains secrets ne peuvent pas être ouverts, car le fichier vault.key manque dans le dossier de données : {what}. Aucun nouveau secret ne peut être enregistré. Remettez vault.key et redémarrez le serveur.',
      },
      kinds: {
        'second-factor': 'l’authentification à deux facteurs',
        'mailer-key': 'les clés API de messagerie',
        'webhook-secret': 'les secrets des webhooks',
        'backup-passphrase': 'la phrase secrète des sauvegardes',
        'single-sign-on-secret': 'le secret d’authentification unique',
        'mail-password': 'le mot de passe du serveur de messagerie',
        'fleet-secret': 'les clés de la flotte',
      },
      lost: 'Depuis le démarrage du serveur, une visite n’a pas été comptée, car le disque était plein. Elle a tout de même atteint sa destination. | Depuis le démarrage du serveur, {count} visites n’ont pas été comptées, car le disque était plein. Elles ont tout de même atteint leur destination.',
      clock:
        'L’horloge du serveur a fait un grand bond en avant ({since}). Rien n’est supprimé pour ancienneté tant qu’elle n’a pas fonctionné normalement pendant un jour. Vérifiez la date du serveur.',
    },
    empty: {
      title: 'Votre premier lien court est à un collage près',
      description:
        'Collez une URL ici, ou importez les liens que vous avez déjà ailleurs. Les clics s’affichent sur cette page en direct.',
      creating: 'Collez une URL ici. Les clics s’affichent sur cette page en direct.',
      none: 'Aucun lien pour l’instant',
      seeing: 'Les liens et leurs clics s’affichent sur cette page dès qu’il y en a.',
      import: 'Importer des liens',
    },
    hints: {
      paste: 'raccourcir l’URL du presse-papiers',
      create: 'nouveau lien',
      palette: 'recherche et commandes',
      shortcuts: 'tous les raccourcis',
    },
    first: {
      label: 'URL à raccourcir',
      placeholder: 'https://example.com/une-tres-longue-adresse',
      shorten: 'Raccourcir',
      invalid: 'Saisissez une URL, comme https://example.com.',
    },
  },
};
