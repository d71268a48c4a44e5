import type { messages as source } from '../../identity/browser-sign-in/messages.ts';

export const browserSignIn: (typeof source)['en'] = {
  browserSignIn: {
    start: 'Mit dem Browser anmelden',
    waiting: 'Weiter im Browser',
    waitingHelp: 'Dort anmelden und den Zugriff erlauben. Waypost macht dann von selbst weiter.',
    again: 'Browser noch einmal öffnen',
    cancel: 'Abbrechen',
    denied: 'Der Zugriff wurde im Browser abgelehnt. Erneut versuchen oder anders anmelden.',
    connect: {
      page: 'Zugriff erlauben',
      title: '{device} bittet um Zugriff',
      lead: 'auf das Konto {account} auf {name}',
      gets: 'Mit dieser Erlaubnis kann die App',
      powers: {
        all: 'alles sehen, erstellen, bearbeiten und löschen, was Sie können',
        settings: 'das Konto ändern und API-Schlüssel erstellen',
        until: 'angemeldet bleiben, bis sie unter „Einstellungen“, „Sicherheit“ abgemeldet wird',
      },
      warning:
        'Nur erlauben, wenn Sie gerade in Waypost auf diesem Computer „Mit dem Browser anmelden“ gewählt haben.',
      allow: 'Erlauben',
      deny: 'Ablehnen',
      other: 'Anderes Konto verwenden',
      incomplete: 'Dieser Link funktioniert nicht',
      incompleteHelp: 'Ein Teil davon fehlt. In der App noch einmal „Mit dem Browser anmelden“ wählen.',
      home: 'Zu Waypost',
    },
  },
};
