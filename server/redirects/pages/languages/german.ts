import type { PageTexts } from '../texts.ts';

export const german: PageTexts = {
  language: 'de',
  direction: 'ltr',
  notFound: {
    title: 'Hier gibt es keinen Link',
    text: 'Prüfen Sie die Adresse auf Tippfehler oder fragen Sie die Person, von der Sie sie haben.',
  },
  unknownHost: {
    title: 'Diese Adresse wird nicht verwendet',
    text: 'Der aufgerufene Name führt zu diesem Server, hier ist aber nichts für ihn eingerichtet.',
  },
  gone: {
    title: 'Dieser Link wurde abgeschaltet',
    text: 'Er ist auf Wunsch des Inhabers nicht mehr in Betrieb.',
  },
  expired: {
    title: 'Dieser Link ist abgelaufen',
    text: 'Er war nur für eine bestimmte Zeit oder eine bestimmte Zahl von Aufrufen gedacht.',
  },
  early: {
    title: 'Dieser Link ist noch nicht freigeschaltet',
    text: 'Er wird erst später geöffnet. Schauen Sie in einer Weile wieder vorbei.',
  },
  unsafe: {
    title: 'Dieser Link führt nirgendwohin',
    text: 'Sein Ziel ist keine Adresse, die ein Browser sicher öffnen kann.',
  },
  tooMany: {
    title: 'Zu viele Versuche',
    text: 'Aus Ihrem Netz wurden viele Adressen aufgerufen, die es nicht gibt. Warten Sie eine Minute und versuchen Sie es noch einmal.',
  },
  unavailable: {
    title: 'Einen Moment, bitte',
    text: 'Dieser Link lässt sich gerade nicht öffnen. Versuchen Sie es in einer Minute noch einmal.',
  },
  badMethod: { title: 'Das ist ein Link', text: 'Er lässt sich nur aufrufen, nicht beschreiben.' },
  failed: {
    title: 'Hier ist etwas schiefgegangen',
    text: 'Das liegt an uns, nicht an Ihnen. Versuchen Sie es in einer Minute noch einmal.',
  },
  tooLarge: { title: 'Das war zu viel', text: 'Mit dem Formular kam mehr als ein Passwort an.' },
  landing: {
    title: 'Hier sind Kurzlinks zu Hause',
    text: 'Dieser Server öffnet die Kurzlinks seines Betreibers. Ergänzen Sie den Teil nach dem Schrägstrich, um ans Ziel zu kommen.',
    signIn: 'Anmelden',
  },
  password: {
    title: 'Dieser Link ist geschützt',
    text: 'Geben Sie das Passwort ein, das Sie dazu erhalten haben.',
    label: 'Passwort',
    submit: 'Link öffnen',
    wrong: 'Das Passwort stimmt nicht. Versuchen Sie es noch einmal.',
    tooMany: 'Zu viele falsche Passwörter. Warten Sie eine Viertelstunde und versuchen Sie es noch einmal.',
  },
  preview: {
    title: 'Wohin dieser Link führt',
    text: 'Hier nachzusehen zählt nicht als Aufruf.',
    destination: 'Ziel',
    hidden: 'Das Ziel wird nach Eingabe des Passworts angezeigt.',
    depends: 'Es kann je nach Ort, Gerät, Sprache oder Zeit ein anderes sein.',
    go: 'Link öffnen',
  },
  card: { title: 'Ein Kurzlink', go: 'Link öffnen' },
  list: { by: 'Links von {owner}', empty: 'Hier gibt es noch keine Links.' },
  frame: {
    direct: 'Direkt öffnen',
    close: 'Schließen oder öffnen',
    more: 'Mehr erfahren',
    email: 'E-Mail-Adresse',
  },
  splash: {
    title: 'Sie werden weitergeleitet',
    moment: 'Einen Moment, bitte',
    product: 'Mehr dazu',
    leads: 'Dieser Link führt zu {host}',
    go: 'Weiter',
  },
  thanks: {
    taken: { title: 'Vielen Dank', text: 'Ihre Angabe ist angekommen.' },
    refused: {
      title: 'Das hat nicht geklappt',
      text: 'Gehen Sie zurück, prüfen Sie Ihre Eingabe und senden Sie sie noch einmal.',
    },
    back: 'Zurück zur Seite',
  },
  bio: {
    saveContact: 'Kontakt speichern',
    watch: 'Video ansehen',
    download: 'Herunterladen',
    name: 'Ihr Name',
    email: 'Ihre E-Mail-Adresse',
    message: 'Ihre Nachricht',
    send: 'Senden',
    thanks: { title: 'Vielen Dank', text: 'Ihre Nachricht ist angekommen.' },
    refused: {
      title: 'Das hat nicht geklappt',
      text: 'Gehen Sie zurück, füllen Sie alle Felder aus und senden Sie das Formular noch einmal.',
    },
    back: 'Zurück zur Seite',
  },
  file: {
    expired: {
      title: 'Diese Datei ist nicht mehr verfügbar',
      text: 'Sie war nur für eine bestimmte Zeit oder eine bestimmte Zahl von Downloads gedacht. Fragen Sie die Person, von der Sie den Link haben.',
    },
    badMethod: { title: 'Das ist eine Datei', text: 'Sie lässt sich nur herunterladen, nicht beschreiben.' },
    unavailable: {
      title: 'Einen Moment, bitte',
      text: 'Diese Datei lässt sich gerade nicht herunterladen. Versuchen Sie es in einer Minute noch einmal.',
    },
    password: {
      title: 'Diese Datei ist geschützt',
      text: 'Geben Sie das Passwort ein, das Sie dazu erhalten haben. Der Download beginnt dann sofort.',
      label: 'Passwort',
      submit: 'Datei herunterladen',
      wrong: 'Das Passwort stimmt nicht. Versuchen Sie es noch einmal.',
      tooMany: 'Zu viele falsche Passwörter. Warten Sie eine Weile und versuchen Sie es noch einmal.',
    },
    download: {
      title: 'Eine Datei für Sie',
      name: 'Dateiname',
      size: 'Größe',
      hidden: 'Name und Größe werden nach Eingabe des Passworts angezeigt.',
      go: 'Datei herunterladen',
    },
    units: 'B kB MB GB TB',
  },
};
