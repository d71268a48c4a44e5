import type { messages as source } from '../../visits/privacy/messages.ts';

export const privacy: (typeof source)['en'] = {
  privacy: {
    title: 'Privatsphäre der Besucher',
    description: 'Gilt für neue Besuche auf Links, Seiten und Codes.',
    byInstance: 'Vom Administrator für alle festgelegt.',
    noReferrer: {
      label: 'Referrer nicht speichern',
      help: 'Woher Besucher kommen.',
    },
    noBrowser: {
      label: 'Browser nicht speichern',
      help: 'Browser, System, Gerät und Sprache.',
    },
    noPlace: {
      label: 'Orte nicht speichern',
      help: 'Land, Region, Stadt und IP-Adresse.',
    },
    noSignedIn: {
      label: 'Angemeldete nicht zählen',
      help: 'Unter der eigenen URL dieser Instanz zählen sie in dem Browser nicht, in dem sie die App verwenden. Auf eigenen Domains, und mit der Desktop-App auch unter der URL dieser Instanz, zählen sie in einem Browser nicht, in dem sie in den letzten 30 Tagen einen ihrer Links aus der App geöffnet haben.',
    },
    keep: {
      label: 'Von jedem Besuch speichern',
      help: 'Mit „Nur die Anzahl“ gibt es keine eindeutigen Besucher. Was schon gespeichert ist, bleibt.',
      clicks: 'Klicks mit ihren Angaben',
      counts: 'Nur die Anzahl',
      nothing: 'Gar nichts',
    },
    parameters: {
      title: 'Query-Parameter',
      description: 'Werden bei neuen Besuchen neben den UTM-Werten gezählt.',
      label: 'Namen',
      help: 'Bis zu fünf, durch Kommas getrennt. Die Statistik zeigt die Werte, mit denen Kurzlinks geöffnet werden, etwa /sale?ref=poster.',
    },
    own: {
      title: 'Eigene Besuche',
      description: 'Jede URL unten einmal in jedem Browser öffnen, dessen Besuche dort nicht zählen sollen.',
    },
    notKept: {
      intro: 'Von neuen Besuchen nicht gespeichert: {what}',
      referrer: 'Referrer',
      browser: 'Browser, Systeme, Geräte, Sprachen',
      place: 'Orte',
      visitors: 'alles außer der Anzahl',
      clicks: 'alles',
      signedin: 'Besuche von Angemeldeten',
    },
  },
};
