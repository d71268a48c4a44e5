import type { messages as source } from '../../identity/browser-sign-in/messages.ts';

export const browserSignIn: (typeof source)['en'] = {
  browserSignIn: {
    start: 'Se connecter avec le navigateur',
    waiting: 'Continuez dans votre navigateur',
    waitingHelp: 'Connectez-vous et autorisez l’accès. Waypost continuera ensuite tout seul.',
    again: 'Rouvrir le navigateur',
    cancel: 'Annuler',
    denied: 'L’accès a été refusé dans le navigateur. Réessayez ou connectez-vous autrement.',
    connect: {
      page: 'Autoriser l’accès',
      title: '{device} demande l’accès',
      lead: 'à votre compte {account} sur {name}',
      gets: 'Si vous l’autorisez, cette appli pourra',
      powers: {
        all: 'voir, créer, modifier et supprimer tout ce que vous pouvez',
        settings: 'modifier votre compte et créer des clés API',
        until: 'rester connectée jusqu’à ce que vous la déconnectiez dans Réglages, Sécurité',
      },
      warning:
        'N’autorisez que si vous venez de choisir « Se connecter avec le navigateur » dans Waypost sur cet ordinateur.',
      allow: 'Autoriser',
      deny: 'Refuser',
      other: 'Utiliser un autre compte',
      incomplete: 'Ce lien ne fonctionne pas',
      incompleteHelp:
        'Il en manque une partie. Choisissez à nouveau « Se connecter avec le navigateur » dans l’appli.',
      home: 'Aller à Waypost',
    },
  },
};
