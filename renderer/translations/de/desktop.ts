import type { messages as source } from '../../operations/desktop-settings/messages.ts';

export const desktop: (typeof source)['en'] = {
  desktop: {
    title: 'Diese App',
    description: 'Wie sich Waypost auf diesem Computer verhält, für alle Instanzen.',
    openAtLogin: 'Beim Anmelden an diesem Computer starten',
    openAtLoginHelp: 'Waypost startet ohne Fenster, damit die Kurzlinks sofort funktionieren.',
    openAtLoginNone: 'Nur bei installiertem Waypost verfügbar, nicht beim Start aus dem Quellcode.',
    openAtLoginApproval: 'In den Systemeinstellungen unter „Allgemein“, „Anmeldeobjekte“ erlauben.',
    background: 'Weiterlaufen, wenn das Fenster geschlossen ist',
    backgroundHelp:
      'Kurzlinks auf diesem Computer funktionieren nur, solange Waypost läuft. Es bleibt im Infobereich.',
    notifications: 'Systembenachrichtigungen',
    notificationsHelp:
      'Wenn eine Domain nicht mehr hierher zeigt, eine Anmeldung fehlschlägt oder der Server stehen bleibt.',
    shortcut: 'URL aus der Zwischenablage in jeder App kürzen',
    shortcutHelp:
      'In einer beliebigen App eine URL kopieren und diese Tasten drücken: Der Kurzlink wird erstellt und kopiert.',
    shortcutTaken: 'Eine andere App verwendet diese Tasten. Bitte andere wählen.',
    shortcutNone: 'Keine Tasten',
    shortcutRecord: 'Die neuen Tasten drücken …',
    shortcutChange: 'Ändern',
    shortcutClear: 'Tasten entfernen',
    updates: 'Nach Updates suchen',
    updatesHelp:
      'Einmal am Tag unter der Update-URL dieses Builds. Es werden keine persönlichen Daten gesendet.',
    updatesNone: 'Dieser Build hat keine Update-URL und sucht deshalb nie.',
    update: 'Waypost {version} ist verfügbar',
    updateGet: 'Herunterladen',
    updateLatest: 'Die neueste Version ist installiert: {version}.',
    updateFailed: 'Die Update-URL antwortet nicht. Waypost sucht morgen wieder.',
    offer: 'Ein Link möchte eine URL kürzen',
  },
};
