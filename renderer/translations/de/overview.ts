import type { messages as source } from '../../visits/overview/messages.ts';

export const overview: (typeof source)['en'] = {
  overview: {
    scope: { campaign: 'Kampagne', channel: 'Kanal', domain: 'Domain' },
    title: 'Übersicht',
    newLink: 'Neuer Link',
    links: 'Links',
    active: '{count} aktiv',
    top: { title: 'Meistgeklickt nach', campaigns: 'Kampagnen', channels: 'Kanäle', domains: 'Domains' },
    topLinks: 'Top-Links',
    allLinks: 'Alle Links',
    noTop: 'Keine Klicks in diesem Zeitraum',
    instance: {
      disk: {
        low: 'Der Speicherplatz des Servers ist fast voll. Kurzlinks funktionieren weiter, aber Besuche werden nicht mehr gezählt. Bitte Speicherplatz freigeben.',
        full: 'Der Speicherplatz des Servers ist voll. Kurzlinks funktionieren weiter, aber nichts Neues kann gespeichert werden. Dateien oder Links löschen oder Speicherplatz freigeben.',
      },
      damage:
        'Die Datenbank des Servers ist beschädigt. Nichts mehr ändern, den Server anhalten und ein Backup wiederherstellen. Mit der beschädigten Datei startet er nicht mehr.',
      secrets: {
        other:
          'Einige Geheimnisse lassen sich nicht öffnen, weil vault.key im Datenordner von einem anderen Computer stammt: {what}. Die richtige vault.key zurücklegen und den Server neu starten, oder alles neu eingeben.',
        missing:
          'Einige Geheimnisse lassen sich nicht öffnen, weil vault.key im Datenordner fehlt: {what}. Auch neue lassen sich nicht speichern. vault.key zurücklegen und den Server neu starten.',
      },
      kinds: {
        'second-factor': 'Zwei-Faktor-Authentifizierung',
        'mailer-key': 'API-Schlüssel für E-Mail-Dienste',
        'webhook-secret': 'Webhook-Geheimnisse',
        'backup-passphrase': 'die Backup-Passphrase',
        'single-sign-on-secret': 'das Single-Sign-on-Geheimnis',
        'mail-password': 'das Passwort des Mailservers',
        'fleet-secret': 'die Schlüssel des Verbunds',
      },
      lost: 'Ein Besuch seit dem Start des Servers wurde nicht gezählt, weil der Speicherplatz voll war. Er erreichte trotzdem sein Ziel. | {count} Besuche seit dem Start des Servers wurden nicht gezählt, weil der Speicherplatz voll war. Sie erreichten trotzdem ihr Ziel.',
      clock:
        'Die Uhr des Servers ist am {since} weit vorgesprungen. Alte Einträge werden erst wieder gelöscht, wenn sie einen Tag lang normal gelaufen ist. Bitte das Datum des Servers prüfen.',
    },
    empty: {
      title: 'Einfügen, und der erste Kurzlink ist fertig',
      description:
        'Hier eine beliebige URL einfügen oder vorhandene Links importieren. Klicks erscheinen sofort auf dieser Seite.',
      creating: 'Hier eine beliebige URL einfügen. Klicks erscheinen sofort auf dieser Seite.',
      none: 'Noch keine Links',
      seeing: 'Links und ihre Klicks erscheinen auf dieser Seite, sobald es welche gibt.',
      import: 'Links importieren',
    },
    hints: {
      paste: 'URL aus der Zwischenablage kürzen',
      create: 'neuer Link',
      palette: 'Suche und Befehle',
      shortcuts: 'alle Tastenkürzel',
    },
    first: {
      label: 'URL zum Kürzen',
      placeholder: 'https://example.com/eine-sehr-lange-adresse',
      shorten: 'Kürzen',
      invalid: 'Eine URL eingeben, etwa https://example.com.',
    },
  },
};
