import type { messages as source } from '../../network/sharing/messages.ts';

export const sharing: (typeof source)['en'] = {
  sharing: {
    title: 'Partage sur le réseau',
    description:
      'Permettre aux autres ordinateurs et téléphones de votre réseau d’ouvrir cette instance et ses liens courts.',
    switch: 'Partager sur mon réseau',
    on: 'Toute personne sur votre réseau peut ouvrir les URL ci-dessous. Tout, sauf les liens courts, exige un compte ou une clé.',
    off: 'Seul cet ordinateur y a accès.',
    fixed: 'Défini au démarrage ; non modifiable ici.',
    https: 'Connexion et administration (chiffrées)',
    httpsHelp:
      'Mots de passe, clés et tout ce qui est envoyé à ces URL est chiffré. Elles restent les mêmes tant que cet ordinateur garde son adresse IP.',
    httpsProblem:
      'D’ici à la résolution de ce problème, les autres ordinateurs ne peuvent pas se connecter ici en https. Les liens courts fonctionnent toujours.',
    otherPort: 'Choisir un autre port',
    portChosen: 'Port modifié',
    fingerprintLabel: 'Empreinte de cette instance (SHA-256)',
    fingerprint:
      'Quand un autre ordinateur ouvre l’une de ces URL, il vous demande de confirmer ce serveur. Comparez cette empreinte avec celle qu’il affiche : tout doit correspondre.',
    rootHelp:
      'Les navigateurs signalent le certificat tant que la racine n’est pas installée sur l’appareil :',
    root: 'télécharger le certificat racine',
    addresses: 'Liens courts, non chiffrés',
    addressesHelp:
      'Tout appareil peut les ouvrir sans avertissement, comme l’exigent les liens courts et les QR codes.',
    none: 'Cet ordinateur n’est connecté à aucun réseau pour le moment. Nouvelle vérification toutes les quelques secondes.',
    copy: 'Copier {url}',
    onlyHere: 'Les liens courts commencent encore par {url}',
    onlyHereHelp: 'Seul cet ordinateur peut les ouvrir.',
    useNow: 'Utiliser {url}',
    use: 'Utiliser pour les liens courts',
    used: 'Utilisée pour les liens courts',
    useDone: 'Les liens courts utilisent maintenant {url}',
    plain: 'Autoriser aussi la connexion non chiffrée',
    plainIsOff:
      'Les autres ordinateurs sont redirigés vers les URL chiffrées. Clés et mots de passe ne sont pas acceptés ici.',
    plainIsOn:
      'Toute personne sur votre réseau peut lire ce qui est envoyé à ces URL, mots de passe et clés compris.',
    plainOn: 'Connexion non chiffrée autorisée',
    plainOff: 'Clés et mots de passe acceptés uniquement en https',
    consent: {
      title: 'Autoriser les mots de passe et les clés non chiffrés ?',
      description:
        'Toute personne sur le même réseau, comme un invité du Wi-Fi ou un appareil compromis, pourra alors lire et utiliser les mots de passe et les clés de qui se connecte sans https. À réserver à un réseau dont tous les appareils sont de confiance, et aux applis incapables d’utiliser https.',
      action: 'Je comprends, autoriser',
    },
    badge: 'Partagée sur votre réseau',
    switchedOn: 'Partage activé',
    switchedOff: 'Partage désactivé',
  },
};
