import type { messages as source } from '../../operations/mail/messages.ts';

export const mail: (typeof source)['en'] = {
  mail: {
    title: 'E-Mail',
    description:
      'Einladungen, neue Passwörter und Warnungen per E-Mail senden. Alles andere funktioniert auch ohne.',
    noAddress: 'Keine öffentliche URL festgelegt',
    noAddressHelp:
      'Links in E-Mails würden nur auf diesem Computer funktionieren, deshalb werden Einladungen und Passwort-Links nicht verschickt. Zuerst die öffentliche URL festlegen.',
    setAddress: 'Öffentliche URL festlegen',
    off: 'Noch werden keine E-Mails gesendet. Zum Starten einen Mailserver eingeben.',
    host: 'Mailserver',
    hostHelp: 'Leer lassen, um keine E-Mails zu senden.',
    port: 'Port',
    security: 'Sicherheit',
    securities: {
      tls: 'TLS (meist Port 465)',
      starttls: 'STARTTLS, erzwungen (meist Port 587)',
      none: 'Keine',
    },
    plain:
      'Alle im Netzwerk können die E-Mails lesen, auch Links zu neuen Passwörtern. Nur Server im eigenen Netzwerk sind möglich.',
    user: 'Benutzer',
    userHelp: 'Leer lassen, wenn der Server keinen verlangt.',
    password: 'Passwort',
    passwordSet: 'Gespeichert. Zum Ersetzen ein neues eingeben.',
    passwordHelp: 'Wird verschlüsselt gespeichert, nur an diesen Server gesendet und nie angezeigt.',
    from: 'Absender',
    fromHelp: 'Die Adresse, von der E-Mails kommen.',
    test: 'Testnachricht senden',
    tested: 'Der Mailserver hat die Testnachricht angenommen. Den Posteingang prüfen.',
    testSaved: 'Vor dem Testen die Änderungen speichern.',
    waiting: '{count} E-Mail wartet auf den Versand. | {count} E-Mails warten auf den Versand.',
    failed: 'Der letzte Versuch ist am {when} fehlgeschlagen',
  },
};
