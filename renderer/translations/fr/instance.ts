import type { messages as source } from '../../operations/instance/messages.ts';
import { privacy } from './privacy.ts';

const { noReferrer, noBrowser, noPlace, noSignedIn, keep } = privacy.privacy;

export const instance: (typeof source)['en'] = {
  instance: {
    fixed: 'Imposé',
    fixedWhy: 'Défini sur la ligne de commande ou dans l’environnement.',
    forever: 'Indéfiniment',
    places: {
      title: 'Lieux des visiteurs',
      description: 'La base de données qui indique où se trouvent les visiteurs.',
      source: 'Origine',
      sources: {
        bundled: 'Fournie avec le programme',
        started: 'Indiquée au démarrage du serveur',
        uploaded: 'Envoyée',
      },
      type: 'Nom',
      built: 'Publiée',
      knows: 'Connaît',
      levels: { countries: 'Pays', regions: 'Pays et régions', cities: 'Pays, régions et villes' },
      count: 'Lieux',
      size: 'Taille',
      upload: 'Envoyer une base…',
      remove: 'Retirer la base envoyée',
      uploaded: 'Base de lieux mise à jour',
      removed: 'Base envoyée retirée',
      none: 'Aucune base n’est installée : les visiteurs n’ont pas de pays.',
      hint: 'Accepte les fichiers MMDB jusqu’à 256 Mo, par exemple de MaxMind ou DB-IP. Le fichier reste après un redémarrage et ne fait pas partie des sauvegardes. Les nœuds d’une flotte ont la leur.',
    },
    groups: {
      network: { title: 'Réseau', description: 'Adresses, DNS et proxys de confiance.' },
      ssl: {
        title: 'Domaines et certificats',
        description: 'Vérification et sécurisation des domaines personnalisés.',
      },
      people: { title: 'Personnes et limites', description: 'Inscriptions et limites de requêtes.' },
      privacy: { title: 'Confidentialité', description: 'Ce qui est conservé sur les visiteurs.' },
    },
    fields: {
      baseUrl: {
        label: 'URL publique',
        help: 'La base des liens courts. Laissez vide pour utiliser l’adresse d’écoute du serveur.',
      },
      sharing: {
        label: 'Partager sur ce réseau',
        help: 'D’autres appareils du réseau peuvent utiliser l’instance.',
      },
      publicAddresses: {
        label: 'Adresses publiques',
        help: 'Où doivent pointer les domaines personnalisés : adresses IP ou un nom d’hôte, un par ligne.',
      },
      dnsServers: {
        label: 'Serveurs DNS',
        help: 'Pour vérifier les domaines, un par ligne. Laissez vide pour ceux du système.',
      },
      trustedProxies: {
        label: 'Proxys de confiance',
        help: 'Leur en-tête X-Forwarded-For fait foi. Une adresse ou une plage par ligne.',
      },
      allowedPrivateRanges: {
        label: 'Réseaux privés autorisés',
        help: 'Réseaux privés où Waypost peut récupérer des images et des titres de page.',
      },
      ssl: {
        mode: { label: 'Certificats', help: 'Qui fournit HTTPS aux domaines personnalisés.' },
        acmeEmail: {
          label: 'E-mail pour l’autorité',
          help: 'Elle peut vous prévenir avant l’expiration d’un certificat.',
        },
        acmeDirectory: { label: 'Annuaire ACME', help: 'URL de l’autorité de certification.' },
      },
      domainSyncMinutes: {
        label: 'Intervalle de vérification (minutes)',
        help: 'La fréquence de vérification des nouveaux domaines.',
      },
      registration: { label: 'Nouveaux comptes', help: 'Qui peut en créer un.' },
      defaultPlan: {
        label: 'Forfait des nouveaux comptes',
        help: 'Sauf indication contraire de l’invitation.',
      },
      ratelimit: { label: 'Requêtes par minute', help: 'Pour chaque clé API sans limite propre.' },
      maxUploadMb: { label: 'Taille maximale des fichiers (Mo)', help: 'Au-delà, l’envoi est refusé.' },
      privacy: {
        noReferrer,
        noBrowser,
        noPlace,
        noSignedIn,
        keep: { label: keep.label, help: keep.help },
        storeAddresses: {
          label: 'Conserver les adresses IP des visiteurs',
          help: 'Affichées avec chaque visite. Sinon, celles déjà conservées sont supprimées dans l’heure.',
        },
        doNotTrack: {
          label: 'Respecter « ne pas me pister »',
          help: 'Les visites qui le demandent aboutissent, mais ne sont pas enregistrées.',
        },
        uncountedAddresses: {
          label: 'Ne pas compter',
          help: 'Les visites de ces adresses IP ou plages, une par ligne.',
        },
      },
      retentionDays: {
        label: 'Conservation du détail des clics (jours)',
        help: 'Les totaux sont gardés. Laissez vide pour tout garder indéfiniment.',
      },
      backup: {
        enabled: {
          label: 'Sauvegarder chaque jour',
          help: 'Automatique tant que le serveur fonctionne.',
        },
        hour: { label: 'À', help: 'Chaque jour, dans le fuseau horaire du serveur.' },
        keepDaily: {
          label: 'Garder les sauvegardes quotidiennes (jours)',
          help: 'La dernière de chaque jour.',
        },
        keepWeekly: {
          label: 'Garder les sauvegardes hebdomadaires (semaines)',
          help: 'La dernière de chaque semaine antérieure.',
        },
        folder: {
          label: 'Dossier',
          help: 'Sur le serveur. Laissez vide pour les placer à côté de la base de données.',
        },
      },
    },
    options: {
      keep: {
        clicks: 'Les clics avec leurs détails',
        counts: 'Le nombre seulement',
        nothing: 'Rien du tout',
      },
      ssl: {
        off: 'Aucun : HTTP non chiffré',
        external: 'Gérés par un proxy inverse',
        local: 'Autorité de certification intégrée (réseau local)',
        acme: 'Let’s Encrypt ou une autre autorité ACME',
      },
      registration: {
        closed: 'Administrateurs uniquement',
        invitation: 'Sur invitation',
        open: 'Tout le monde',
      },
    },
  },
};
