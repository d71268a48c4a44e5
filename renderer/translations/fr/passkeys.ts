import type { messages as source } from '../../identity/passkeys/messages.ts';

export const passkeys: (typeof source)['en'] = {
  passkeys: {
    title: 'Clés d’accès',
    description:
      'Se connecter avec une empreinte, un visage, un code PIN ou une clé de sécurité plutôt qu’un mot de passe.',
    none: 'Aucune clé d’accès pour l’instant. Elles ne peuvent être ni devinées ni hameçonnées, et dispensent de code.',
    add: 'Ajouter une clé d’accès',
    added: 'Clé d’accès ajoutée',
    cancelled:
      'Aucune clé d’accès n’a été ajoutée. Selon votre navigateur, la demande a été annulée ou a expiré.',
    exists: 'Cet appareil a déjà une clé d’accès pour votre compte.',
    host: 'pour {host}',
    synced: 'Synchronisée',
    syncedHelp: 'Votre gestionnaire de mots de passe la conserve sur plusieurs appareils.',
    used: 'Dernière utilisation',
    unused: 'Jamais utilisée',
    rename: 'Renommer {name}',
    name: 'Nom',
    save: 'Enregistrer',
    renamed: 'Clé d’accès renommée',
    remove: 'Retirer {name}',
    deleted: 'Clé d’accès retirée',
    confirm: {
      title: 'Retirer « {name} » ?',
      description:
        'Elle ne permettra plus de se connecter ici. Supprimez-la aussi de votre appareil ou de votre gestionnaire de mots de passe : cette page ne peut pas le faire.',
      action: 'Retirer',
    },
    passwordHelp: 'Votre navigateur demande ensuite comment enregistrer la clé d’accès.',
    continue: 'Continuer',
    cancel: 'Annuler',
    obstacles: {
      desktop:
        'Les clés d’accès sont liées à une adresse web : elles s’ajoutent et s’utilisent dans un navigateur. Ouvrez-y {address}.',
      insecure:
        'Les clés d’accès exigent HTTPS. Ouvrez cette instance en https:// pour en ajouter ou en utiliser.',
      address:
        'Les clés d’accès ne fonctionnent pas avec une simple adresse IP. Ouvrez cette instance par son nom d’hôte.',
      browser: 'Ce navigateur ne prend pas en charge les clés d’accès.',
    },
    signIn: 'Se connecter avec une clé d’accès',
    signInCancelled:
      'La connexion n’a pas eu lieu : demande annulée ou expirée, ou aucune clé d’accès pour cette adresse.',
    or: 'ou',
  },
};
