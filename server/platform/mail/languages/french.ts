import type { LetterTexts } from '../letter-texts.ts';

export const french: LetterTexts = {
  language: 'fr',
  direction: 'ltr',
  sentBy: 'Envoyé par Waypost sur {host}.',
  switchOff: 'Vous pouvez désactiver ces e-mails dans Réglages, Préférences.',
  test: {
    subject: 'Vos réglages d’e-mail fonctionnent',
    text: [
      'Ceci est le message de test que vous vous êtes envoyé. Waypost peut maintenant envoyer des e-mails.',
    ],
  },
  invitation: {
    subject: 'Invitation à {host}',
    text: ['{by} vous invite à créer un compte sur {host}.'],
    action: 'Créer votre compte',
    note: 'L’invitation est valable une fois, jusqu’au {until}. Si vous ne savez pas de quoi il s’agit, ignorez-la.',
  },
  teamInvitation: {
    subject: 'Rejoignez « {team} » sur {host}',
    text: ['{by} vous invite dans l’équipe « {team} » sur {host}.'],
    action: 'Rejoindre l’équipe',
    note: 'L’invitation expire le {until}. Si vous ne savez pas de quoi il s’agit, ignorez-la.',
  },
  passwordReset: {
    subject: 'Réinitialiser votre mot de passe',
    text: ['Quelqu’un, vous sans doute, a demandé un nouveau mot de passe pour {username} sur {host}.'],
    action: 'Choisir un nouveau mot de passe',
    note: 'Le lien fonctionne une fois, pendant 30 minutes. Si vous ne l’avez pas demandé, ignorez ce message : votre mot de passe reste le même.',
  },
  passwordChanged: {
    subject: 'Votre mot de passe a été réinitialisé',
    text: [
      'Le mot de passe de {username} sur {host} a été réinitialisé par e-mail. Toutes les sessions et clés API ont pris fin.',
      'Si ce n’était pas vous, protégez d’abord votre messagerie, puis réinitialisez de nouveau le mot de passe.',
    ],
  },
  addressChanged: {
    subject: 'Votre adresse e-mail a été modifiée',
    text: [
      'Le compte {username} sur {host} a désormais une autre adresse e-mail, et ses messages n’arrivent plus ici.',
      'Si ce n’était pas vous, connectez-vous, changez votre mot de passe et rétablissez votre adresse. Si vous ne pouvez pas vous connecter, adressez-vous à un administrateur de {host}.',
    ],
    action: 'Vérifier votre compte',
  },
  newSignIn: {
    subject: 'Nouvelle connexion à {host}',
    text: [
      'Une connexion en tant que {username} a eu lieu depuis un nouvel appareil ou réseau :',
      '{device}, {place}, {time}',
      'Si c’était vous, il n’y a rien à faire. Sinon, changez votre mot de passe : cela ferme toutes les autres sessions.',
    ],
    action: 'Vérifier vos sessions',
  },
  domainFailed: {
    subject: '{domain} ne pointe plus ici',
    text: [
      'Les enregistrements DNS de {domain} ne pointent plus vers {host} ; ses liens courts ne fonctionnent donc pas.',
    ],
    action: 'Vérifier le domaine',
  },
  certificateFailed: {
    subject: 'Le certificat de {domain} ne peut pas être renouvelé',
    text: [
      'Son certificat expire le {until} et le renouvellement échoue. Ensuite, les navigateurs avertiront les visiteurs de ses liens courts.',
    ],
    action: 'Vérifier le domaine',
  },
  brokenLinks: {
    subject: 'Certaines destinations sont inaccessibles',
    text: ['Ces liens mènent à des pages qui ne répondent plus :', '{links}'],
    action: 'Ouvrir vos liens',
  },
};
