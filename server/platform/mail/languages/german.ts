import type { LetterTexts } from '../letter-texts.ts';

export const german: LetterTexts = {
  language: 'de',
  direction: 'ltr',
  sentBy: 'Gesendet von Waypost auf {host}.',
  switchOff: 'Sie können diese E-Mails unter „Einstellungen“, „Voreinstellungen“ abschalten.',
  test: {
    subject: 'Ihre E-Mail-Einstellungen funktionieren',
    text: [
      'Das ist die Testnachricht, die Sie sich selbst gesendet haben. Waypost kann jetzt E-Mails senden.',
    ],
  },
  invitation: {
    subject: 'Einladung zu {host}',
    text: ['{by} hat Sie eingeladen, ein Konto auf {host} zu erstellen.'],
    action: 'Konto erstellen',
    note: 'Die Einladung gilt einmal, bis {until}. Wenn Sie nicht wissen, worum es geht, ignorieren Sie sie.',
  },
  teamInvitation: {
    subject: 'Einladung zu „{team}“ auf {host}',
    text: ['{by} hat Sie in das Team „{team}“ auf {host} eingeladen.'],
    action: 'Dem Team beitreten',
    note: 'Die Einladung gilt bis {until}. Wenn Sie nicht wissen, worum es geht, ignorieren Sie sie.',
  },
  passwordReset: {
    subject: 'Passwort zurücksetzen',
    text: ['Jemand, hoffentlich Sie, hat ein neues Passwort für {username} auf {host} angefordert.'],
    action: 'Neues Passwort wählen',
    note: 'Der Link funktioniert einmal und 30 Minuten lang. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht: Ihr Passwort bleibt, wie es ist.',
  },
  passwordChanged: {
    subject: 'Ihr Passwort wurde zurückgesetzt',
    text: [
      'Das Passwort von {username} auf {host} wurde per E-Mail zurückgesetzt. Alle Sitzungen und API-Schlüssel sind beendet.',
      'Wenn Sie das nicht waren, sichern Sie zuerst Ihr E-Mail-Konto und setzen Sie dann das Passwort erneut zurück.',
    ],
  },
  addressChanged: {
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    text: [
      'Das Konto {username} auf {host} hat jetzt eine andere E-Mail-Adresse; seine Nachrichten kommen nicht mehr hier an.',
      'Wenn Sie das nicht waren, melden Sie sich an, ändern Sie Ihr Passwort und tragen Sie Ihre Adresse wieder ein. Wenn Sie sich nicht anmelden können, wenden Sie sich an die Administration von {host}.',
    ],
    action: 'Konto prüfen',
  },
  newSignIn: {
    subject: 'Neue Anmeldung bei {host}',
    text: [
      'Jemand hat sich als {username} von einem neuen Gerät oder aus einem neuen Netzwerk angemeldet:',
      '{device}, {place}, {time}',
      'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, ändern Sie Ihr Passwort: Das meldet alle anderen ab.',
    ],
    action: 'Sitzungen prüfen',
  },
  domainFailed: {
    subject: '{domain} zeigt nicht mehr hierher',
    text: [
      'Die DNS-Einträge von {domain} führen nicht mehr zu {host}, deshalb funktionieren die Kurzlinks dieser Domain nicht.',
    ],
    action: 'Domain prüfen',
  },
  certificateFailed: {
    subject: 'Das Zertifikat von {domain} lässt sich nicht erneuern',
    text: [
      'Das Zertifikat läuft am {until} ab, und die Erneuerung schlägt fehl. Danach warnen Browser vor den Kurzlinks dieser Domain.',
    ],
    action: 'Domain prüfen',
  },
  brokenLinks: {
    subject: 'Einige Ziele sind nicht erreichbar',
    text: ['Diese Links führen zu Seiten, die nicht mehr antworten:', '{links}'],
    action: 'Links öffnen',
  },
};
