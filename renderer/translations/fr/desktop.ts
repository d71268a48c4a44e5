import type { messages as source } from '../../operations/desktop-settings/messages.ts';

export const desktop: (typeof source)['en'] = {
  desktop: {
    title: 'Cette appli',
    description: 'Le comportement de Waypost sur cet ordinateur, pour toutes les instances.',
    openAtLogin: 'Démarrer à l’ouverture de session',
    openAtLoginHelp: 'Waypost démarre sans fenêtre pour que vos liens courts fonctionnent tout de suite.',
    openAtLoginNone: 'Disponible uniquement avec un Waypost installé, pas lancé depuis les sources.',
    openAtLoginApproval: 'Autorisez-le dans Réglages Système, Général, Ouverture.',
    background: 'Rester actif quand la fenêtre est fermée',
    backgroundHelp:
      'Les liens courts de cet ordinateur ne fonctionnent que si Waypost est actif. Il reste dans la zone de notification.',
    notifications: 'Notifications système',
    notificationsHelp:
      'Quand un domaine cesse de pointer ici, qu’une connexion échoue ou que le serveur s’arrête.',
    shortcut: 'Raccourcir l’URL du presse-papiers depuis toute appli',
    shortcutHelp:
      'Copiez une URL dans n’importe quelle appli et appuyez sur ces touches pour créer et copier un lien court.',
    shortcutTaken: 'Une autre appli utilise ces touches. Choisissez-en d’autres.',
    shortcutNone: 'Aucune touche',
    shortcutRecord: 'Appuyez sur les nouvelles touches…',
    shortcutChange: 'Modifier',
    shortcutClear: 'Retirer les touches',
    updates: 'Rechercher des mises à jour',
    updatesHelp: 'Une fois par jour, à l’URL de mise à jour de cette version. Rien n’est envoyé sur vous.',
    updatesNone: 'Cette version n’a pas d’URL de mise à jour : elle n’en recherche jamais.',
    update: 'Waypost {version} est disponible',
    updateGet: 'L’obtenir',
    updateLatest: 'Vous avez la dernière version : {version}.',
    updateFailed: 'L’URL de mise à jour ne répond pas. Waypost réessaiera demain.',
    offer: 'Un lien demande de raccourcir une URL',
  },
};
