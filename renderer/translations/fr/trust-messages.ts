import type { trustSteps as source } from '../../network/domains/trust-messages.ts';

/** Instructions for trusting the local authority, with the terms of each system's settings; part of domains.ts. */
export const trustSteps: typeof source = {
  open: 'Approuver sur vos appareils',
  title: 'Approuver l’autorité locale',
  description:
    'Cette instance délivre les certificats des noms de votre propre réseau. Un appareil les accepte sans avertissement une fois le certificat racine installé.',
  download: 'Télécharger le certificat racine',
  copy: 'Copier son URL',
  fingerprint: 'Comparez son empreinte SHA-256 avant de l’approuver :',
  fingerprintLabel: 'Empreinte du certificat racine',
  system: 'Système de l’appareil',
  systems: {
    windows: {
      name: 'Windows',
      steps: [
        'Ouvrez le fichier téléchargé et choisissez « Installer un certificat… ».',
        'Choisissez « Ordinateur local », puis « Placer tous les certificats dans le magasin suivant ».',
        'Choisissez le magasin « Autorités de certification racines de confiance » et terminez.',
        'Redémarrez le navigateur.',
      ],
    },
    macos: {
      name: 'macOS',
      steps: [
        'Ouvrez le fichier téléchargé ; Trousseaux d’accès l’ajoute au trousseau « session ».',
        'Trouvez-y « Waypost local authority » et ouvrez-le.',
        'Sous « Se fier », réglez « Lors de l’utilisation de ce certificat » sur « Toujours approuver », puis fermez la fenêtre.',
        'Confirmez avec votre mot de passe.',
      ],
    },
    linux: {
      name: 'Linux',
      steps: [
        'Debian et Ubuntu : copiez le fichier dans /usr/local/share/ca-certificates/ et lancez « sudo update-ca-certificates ».',
        'Fedora : copiez-le dans /etc/pki/ca-trust/source/anchors/ et lancez « sudo update-ca-trust ».',
        'Chromium a sa propre liste : ouvrez chrome://settings/certificates, choisissez « Autorités » et importez le fichier.',
      ],
    },
    ios: {
      name: 'iPhone, iPad',
      steps: [
        'Ouvrez l’URL du certificat racine dans Safari et autorisez le téléchargement du profil.',
        'Ouvrez Réglages › Général › VPN et gestion de l’appareil, choisissez le profil et installez-le.',
        'Ouvrez Réglages › Général › Informations › Réglages de confiance des certificats et activez-le.',
      ],
    },
    android: {
      name: 'Android',
      steps: [
        'Téléchargez le certificat racine sur l’appareil.',
        'Ouvrez Paramètres › Sécurité et confidentialité › Autres paramètres de sécurité › Chiffrement et identifiants › Installer un certificat.',
        'Choisissez « Certificat CA », confirmez l’avertissement et choisissez le fichier.',
      ],
    },
    firefox: {
      name: 'Firefox',
      steps: [
        'Ouvrez Paramètres › Vie privée et sécurité et choisissez « Afficher les certificats… » à la fin.',
        'Sous « Autorités », choisissez « Importer… » et le fichier téléchargé.',
        'Cochez « Confirmer cette AC pour identifier des sites web ».',
      ],
    },
  },
};
