import type { messages as source } from '../../operations/mail/messages.ts';

export const mail: (typeof source)['en'] = {
  mail: {
    title: 'E-mail',
    description:
      'Envoyer par e-mail les invitations, les réinitialisations de mot de passe et les avertissements. Tout le reste fonctionne sans.',
    noAddress: 'Aucune URL publique n’est définie',
    noAddressHelp:
      'Les liens des e-mails ne fonctionneraient que sur cet ordinateur : les invitations et les liens de mot de passe ne sont donc pas envoyés. Définissez d’abord l’URL publique.',
    setAddress: 'Définir l’URL publique',
    off: 'Aucun e-mail n’est encore envoyé. Saisissez un serveur de messagerie pour commencer.',
    host: 'Serveur de messagerie',
    hostHelp: 'Laissez vide pour n’envoyer aucun e-mail.',
    port: 'Port',
    security: 'Sécurité',
    securities: {
      tls: 'TLS (port 465 en général)',
      starttls: 'STARTTLS, exigé (port 587 en général)',
      none: 'Aucune',
    },
    plain:
      'N’importe qui sur votre réseau peut lire les e-mails, y compris les liens de nouveau mot de passe. Seuls des serveurs de votre propre réseau peuvent être utilisés.',
    user: 'Utilisateur',
    userHelp: 'Laissez vide si le serveur n’en demande pas.',
    password: 'Mot de passe',
    passwordSet: 'Enregistré. Saisissez-en un autre pour le remplacer.',
    passwordHelp: 'Conservé chiffré, envoyé à ce serveur uniquement et jamais affiché.',
    from: 'Expéditeur',
    fromHelp: 'L’adresse d’où partent les e-mails.',
    test: 'Envoyer un message de test',
    tested: 'Le serveur de messagerie a accepté le message de test. Consultez votre boîte de réception.',
    testSaved: 'Enregistrez vos modifications avant de tester.',
    waiting: '{count} e-mail attend d’être envoyé. | {count} e-mails attendent d’être envoyés.',
    failed: 'La dernière tentative a échoué le {when}',
  },
};
