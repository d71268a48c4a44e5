import type { messages as source } from '../../identity/two-factor/messages.ts';

export const twoFactor: (typeof source)['en'] = {
  twoFactor: {
    title: 'Zwei-Faktor-Authentifizierung',
    description: 'Beim Anmelden einen Code vom Smartphone verlangen.',
    on: 'An',
    off: 'Aus',
    isOff: 'Nur das Passwort schützt dieses Konto. Eine Authenticator-App ist in einer Minute eingerichtet.',
    isOn: 'Die Anmeldung verlangt einen Code aus der Authenticator-App. Geht sie verloren, hilft ein Wiederherstellungscode.',
    setUp: 'Einrichten',
    cancel: 'Abbrechen',
    nowOff: 'Zwei-Faktor-Authentifizierung ist aus',
    setup: {
      scan: 'Den Code mit der Authenticator-App scannen',
      orType: 'Oder dieses Geheimnis eingeben:',
      picture: 'QR-Code für eine Authenticator-App',
      copySecret: 'Geheimnis kopieren',
      code: 'Code',
      codeHelp: 'Der sechsstellige Code aus der App.',
      sixDigits: 'Den sechsstelligen Code aus der App eingeben.',
      password: 'Aktuelles Passwort',
      left: 'noch {time}',
      over: 'Dieser Code ist abgelaufen. Neu beginnen und den neuen scannen.',
      again: 'Neu beginnen',
      enable: 'Einschalten',
    },
    codes: {
      title: 'Diese Wiederherstellungscodes speichern',
      description:
        'Jeder Code erlaubt eine Anmeldung, falls der Authenticator verloren geht. Sie werden nicht noch einmal angezeigt.',
      label: 'Wiederherstellungscodes',
      copy: 'Kopieren',
      save: 'Herunterladen',
      kept: 'Fertig, sie sind gespeichert',
      done: 'Fertig',
      fileHead: 'Wiederherstellungscodes von {account} bei {address}. Jeder funktioniert einmal.',
    },
    disable: {
      open: 'Ausschalten …',
      warning:
        'Danach schützt nur noch das Passwort dieses Konto, und die Wiederherstellungscodes funktionieren nicht mehr.',
      how: 'Identität bestätigen',
      byCode: 'Mit einem Code',
      byPassword: 'Mit dem Passwort',
      code: 'Code',
      codeHelp: 'Aus dem Authenticator, oder ein Wiederherstellungscode.',
      password: 'Aktuelles Passwort',
      submit: 'Ausschalten',
    },
    renew: {
      open: 'Neue Wiederherstellungscodes …',
      warning: 'Die alten Codes funktionieren sofort nicht mehr.',
      submit: 'Neue Codes erzeugen',
    },
  },
};
