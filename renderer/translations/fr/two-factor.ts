import type { messages as source } from '../../identity/two-factor/messages.ts';

export const twoFactor: (typeof source)['en'] = {
  twoFactor: {
    title: 'Authentification à deux facteurs',
    description: 'Demander un code de votre téléphone à la connexion.',
    on: 'Activée',
    off: 'Désactivée',
    isOff:
      'Seul votre mot de passe protège ce compte. Configurer une appli d’authentification prend une minute.',
    isOn: 'La connexion exige un code de votre appli d’authentification. Si vous la perdez, utilisez un code de récupération.',
    setUp: 'Configurer',
    cancel: 'Annuler',
    nowOff: 'Authentification à deux facteurs désactivée',
    setup: {
      scan: 'Scannez le code avec votre appli d’authentification',
      orType: 'Ou saisissez ce secret :',
      picture: 'QR code pour une appli d’authentification',
      copySecret: 'Copier le secret',
      code: 'Code',
      codeHelp: 'Le code à six chiffres de l’appli.',
      sixDigits: 'Saisissez le code à six chiffres de l’appli.',
      password: 'Mot de passe actuel',
      left: 'Encore {time}',
      over: 'Ce code a expiré. Recommencez et scannez le nouveau.',
      again: 'Recommencer',
      enable: 'Activer',
    },
    codes: {
      title: 'Enregistrez ces codes de récupération',
      description:
        'Chaque code permet une connexion si vous perdez votre appli d’authentification. Vous ne pourrez plus les revoir.',
      label: 'Codes de récupération',
      copy: 'Copier',
      save: 'Télécharger',
      kept: 'C’est fait, ils sont enregistrés',
      done: 'Terminé',
      fileHead: 'Codes de récupération de {account} sur {address}. Chacun sert une seule fois.',
    },
    disable: {
      open: 'Désactiver…',
      warning:
        'Ensuite, seul votre mot de passe protégera ce compte, et les codes de récupération ne fonctionneront plus.',
      how: 'Confirmez votre identité',
      byCode: 'Par un code',
      byPassword: 'Par mot de passe',
      code: 'Code',
      codeHelp: 'De votre appli d’authentification, ou un code de récupération.',
      password: 'Mot de passe actuel',
      submit: 'Désactiver',
    },
    renew: {
      open: 'Nouveaux codes de récupération…',
      warning: 'Les anciens codes cessent immédiatement de fonctionner.',
      submit: 'Générer de nouveaux codes',
    },
  },
};
