import type { PageTexts } from '../texts.ts';

export const french: PageTexts = {
  language: 'fr',
  direction: 'ltr',
  notFound: {
    title: 'Il n’y a pas de lien à cette adresse',
    text: 'Vérifiez qu’elle ne contient pas de faute de frappe, ou demandez-la à nouveau à la personne qui vous l’a envoyée.',
  },
  unknownHost: {
    title: 'Cette adresse n’est pas utilisée',
    text: 'Le nom que vous avez suivi mène à ce serveur, mais rien n’y a été configuré pour lui.',
  },
  gone: { title: 'Ce lien a été désactivé', text: 'Son propriétaire l’a mis hors service.' },
  expired: {
    title: 'Ce lien a expiré',
    text: 'Il n’était prévu que pour une certaine durée ou un certain nombre de visites.',
  },
  early: {
    title: 'Ce lien n’est pas encore ouvert',
    text: 'Il sera activé plus tard. Revenez dans quelque temps.',
  },
  unsafe: {
    title: 'Ce lien ne mène nulle part',
    text: 'Sa destination n’est pas une adresse qu’un navigateur puisse ouvrir en toute sécurité.',
  },
  tooMany: {
    title: 'Trop de tentatives',
    text: 'De nombreuses adresses inexistantes ont été essayées depuis votre réseau. Patientez une minute, puis réessayez.',
  },
  unavailable: {
    title: 'Un instant, s’il vous plaît',
    text: 'Ce lien ne peut pas être ouvert pour le moment. Réessayez dans une minute.',
  },
  badMethod: { title: 'Ceci est un lien', text: 'On peut seulement l’ouvrir, pas y écrire.' },
  failed: {
    title: 'Un problème est survenu ici',
    text: 'L’erreur vient de nous, pas de vous. Réessayez dans une minute.',
  },
  tooLarge: { title: 'C’était trop', text: 'Le formulaire a envoyé plus qu’un mot de passe.' },
  landing: {
    title: 'Ici vivent des liens courts',
    text: 'Ce serveur ouvre les liens courts de son propriétaire. Ajoutez la partie qui suit la barre oblique pour arriver à destination.',
    signIn: 'Se connecter',
  },
  password: {
    title: 'Ce lien est protégé',
    text: 'Saisissez le mot de passe qui l’accompagnait.',
    label: 'Mot de passe',
    submit: 'Ouvrir le lien',
    wrong: 'Ce mot de passe n’est pas le bon. Réessayez.',
    tooMany: 'Trop de mots de passe erronés. Patientez un quart d’heure, puis réessayez.',
  },
  preview: {
    title: 'Où mène ce lien',
    text: 'Consulter cette page ne compte pas comme une visite.',
    destination: 'Adresse de destination',
    hidden: 'La destination s’affiche une fois le mot de passe saisi.',
    depends: 'Elle peut varier selon le lieu, l’appareil, la langue ou l’heure.',
    go: 'Ouvrir le lien',
  },
  card: { title: 'Un lien court', go: 'Ouvrir le lien' },
  list: { by: 'Liens de {owner}', empty: 'Il n’y a pas encore de liens ici.' },
  frame: {
    direct: 'Ouvrir directement',
    close: 'Fermer ou ouvrir',
    more: 'En savoir plus',
    email: 'Adresse e-mail',
  },
  splash: {
    title: 'Vous allez être redirigé',
    moment: 'Un instant, s’il vous plaît',
    product: 'Voir de quoi il s’agit',
    leads: 'Ce lien mène à {host}',
    go: 'Continuer',
  },
  thanks: {
    taken: { title: 'Merci', text: 'Votre réponse est bien arrivée.' },
    refused: {
      title: 'Cela n’a pas fonctionné',
      text: 'Revenez en arrière, vérifiez votre saisie et envoyez-la à nouveau.',
    },
    back: 'Retour à la page',
  },
  bio: {
    saveContact: 'Enregistrer le contact',
    watch: 'Regarder la vidéo',
    download: 'Télécharger',
    name: 'Votre nom',
    email: 'Votre adresse e-mail',
    message: 'Votre message',
    send: 'Envoyer',
    thanks: { title: 'Merci', text: 'Votre message est bien arrivé.' },
    refused: {
      title: 'Cela n’a pas fonctionné',
      text: 'Revenez en arrière, remplissez tous les champs et envoyez à nouveau le formulaire.',
    },
    back: 'Retour à la page',
  },
  file: {
    expired: {
      title: 'Ce fichier n’est plus disponible',
      text: 'Il n’était prévu que pour une certaine durée ou un certain nombre de téléchargements. Adressez-vous à la personne qui vous l’a envoyé.',
    },
    badMethod: { title: 'Ceci est un fichier', text: 'On peut seulement le télécharger, pas y écrire.' },
    unavailable: {
      title: 'Un instant, s’il vous plaît',
      text: 'Ce fichier ne peut pas être téléchargé pour le moment. Réessayez dans une minute.',
    },
    password: {
      title: 'Ce fichier est protégé',
      text: 'Saisissez le mot de passe qui l’accompagnait. Le téléchargement démarre aussitôt.',
      label: 'Mot de passe',
      submit: 'Télécharger le fichier',
      wrong: 'Ce mot de passe n’est pas le bon. Réessayez.',
      tooMany: 'Trop de mots de passe erronés. Patientez un moment, puis réessayez.',
    },
    download: {
      title: 'Un fichier pour vous',
      name: 'Nom',
      size: 'Taille',
      hidden: 'Son nom et sa taille s’affichent une fois le mot de passe saisi.',
      go: 'Télécharger le fichier',
    },
    units: 'o ko Mo Go To',
  },
};
