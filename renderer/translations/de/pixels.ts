import type { messages as source } from '../../content/pixels/messages.ts';

export const pixels: (typeof source)['en'] = {
  pixels: {
    title: 'Pixel',
    search: 'Pixel suchen',
    create: 'Neues Pixel',
    saved: 'Pixel gespeichert',
    made: '„{name}“ erstellt',
    deleted: '„{name}“ gelöscht',
    list: {
      name: 'Pixel',
      tag: 'Tag-ID',
      fires: 'Was ausgelöst wird',
      links: 'Links',
      made: 'Erstellt',
      actions: 'Aktionen für {name}',
    },
    firesShort: {
      pictures: 'Ein Bild | Ein Bild | {n} Bilder',
      script: 'Skript',
    },
    empty: {
      title: 'Besucher erneut ansprechen',
      description:
        'Ein Pixel lädt vor der Weiterleitung kurz das Tag eines Werbe- oder Analysedienstes, damit Besucher gemessen und erneut angesprochen werden können.',
    },
    actions: {
      open: 'Was ausgelöst wird',
      edit: 'Bearbeiten',
      copyTag: 'Tag-ID kopieren',
      links: 'Zugehörige Links anzeigen',
      delete: 'Löschen',
    },
    confirm: {
      title: '„{name}“ löschen?',
      description: 'Es wird aus allen Links entfernt. Das lässt sich nicht rückgängig machen.',
      action: 'Pixel löschen',
    },
    form: {
      newTitle: 'Neues Pixel',
      editTitle: 'Pixel bearbeiten',
      newDescription: 'Das Tag eines Werbe- oder Analysedienstes hinzufügen.',
      editDescription: 'Name oder Tag-ID des Pixels bearbeiten.',
      create: 'Pixel erstellen',
      save: 'Speichern',
      type: 'Dienst',
      typeFixed: 'Der Dienst lässt sich nicht ändern. Für einen anderen ein weiteres Pixel erstellen.',
      name: 'Name',
      namePlaceholder: 'Shop, alle Besucher',
      nameRequired: 'Einen Namen eingeben.',
      tag: 'Tag-ID',
      tagHelp: 'Etwa {example}. Auch der ganze Code lässt sich einfügen.',
      tagInvalid: 'Nur die ID eingeben, etwa {example}.',
      tagUnusual: 'IDs von {service} sehen meist aus wie {example}. Speichern ist trotzdem möglich.',
      taken: 'Aus dem eingefügten Code übernommen.',
      find: 'Wo sie zu finden ist',
    },
    page: {
      one: 'Pixel',
      missing: 'Pixel nicht gefunden',
      missingHint: 'Vielleicht wurde es gelöscht.',
      toList: 'Alle Pixel',
      back: 'Zurück zu allen Pixeln',
      edit: 'Pixel bearbeiten',
      what: 'Was ausgelöst wird',
      whatHint: 'Eine Seite lädt das für jeden Besucher und leitet dann zum Ziel weiter.',
      where: 'Wo es ausgelöst wird',
      links: 'Links mit diesem Pixel',
      noLinks: 'Noch kein Link verwendet es. Es lässt sich beim Bearbeiten eines Links unter „Pixel“ wählen.',
      allLinks: 'Alle {n} anzeigen',
      unknown: 'Dieser Server gibt nicht an, was seine Pixel laden.',
      full: 'Voller Zugriff',
      sandboxed: 'Abgeschottet',
    },
    fires: {
      picture: 'Bild: eine Anfrage, ohne Skripte',
      script: 'Das Skript des Dienstes',
      copy: 'URL kopieren',
      pictureHosts: 'Darf nur auf diese Hosts weitergeleitet werden:',
      scriptHosts: 'Darf Daten nur an diese Hosts senden:',
      anyHost: 'Der Container entscheidet, was noch geladen wird: Jede https-URL ist erlaubt.',
    },
    where: {
      branded: 'Links auf eigenen Domains',
      brandedText: 'Voller Zugriff: Der Dienst sieht den Besuch wie auf jeder anderen Seite.',
      own: 'Links auf {host}',
      ownPicture:
        'Abgeschottet: Das Bild wird von einer Seite angefordert, die diese Verwaltungsoberfläche nicht erreicht. Die Anfrage ist dieselbe.',
      ownScript:
        'Abgeschottet: Das Skript läuft ohne Cookies und Speicher auf einer Seite, die diese Verwaltungsoberfläche nicht erreicht. Manche Dienste zählen dann weniger Besuche.',
    },
    ofLink: {
      title: 'Pixel',
      before: 'Werden für jeden Besucher vor der Weiterleitung geladen.',
      within: 'Werden mit der Seite des Links geladen.',
      show: 'Anzeigen, was {name} lädt',
    },
    field: {
      title: 'Pixel',
      choose: 'Pixel auswählen',
      chosen: 'Keine | Ein Pixel | {n} Pixel',
      help: 'Werden vor der Weiterleitung kurz geladen.',
      none: 'Noch keine Pixel.',
      make: 'Pixel erstellen',
      notInPlan: 'Pixel sind nicht im Tarif enthalten.',
    },
    vendors: {
      gtmpixel: {
        name: 'Google Tag Manager',
        where: 'tagmanager.google.com: den Container öffnen. Die ID steht oben neben „Vorschau“.',
      },
      gapixel: {
        name: 'Google Analytics',
        where: 'Verwaltung, dann Datenstreams: den Webstream öffnen. Die Mess-ID beginnt mit G-.',
      },
      fbpixel: {
        name: 'Meta (Facebook)',
        where: 'Events Manager, dann Datenquellen: das Pixel auswählen. Die ID steht unter dem Namen.',
      },
      adwordspixel: {
        name: 'Google Ads',
        where:
          'Zielvorhaben, dann Conversions: die Aktion und ihre Tag-Einrichtung öffnen. Den Wert von send_to kopieren, für Remarketing nur die Nummer mit AW-.',
      },
      linkedinpixel: {
        name: 'LinkedIn',
        where: 'Kampagnen-Manager, dann Daten, Signals Manager: Insight-Tag. Die Partner-ID kopieren.',
      },
      twitterpixel: {
        name: 'X (Twitter)',
        where: 'X Ads, dann Tools, Events Manager: Die Pixel-ID steht in der Kopfzeile.',
      },
      adrollpixel: {
        name: 'AdRoll',
        where:
          'Einstellungen, dann Pixel: Im Code stehen adroll_adv_id und adroll_pix_id. Beide eingeben, durch einen Schrägstrich getrennt.',
      },
      quorapixel: {
        name: 'Quora',
        where: "Ads Manager, dann Quora Pixel: einrichten. Die ID steht in qp('init', …).",
      },
      pinterest: { name: 'Pinterest', where: 'Ads Manager, dann Conversions, Tag Manager: die Tag-ID.' },
      bing: {
        name: 'Microsoft Advertising',
        where: 'Tools, dann UET-Tag: die Nummer in der Spalte Tag-ID.',
      },
      snapchat: {
        name: 'Snapchat',
        where: 'Events Manager: das Pixel öffnen. Die ID hat fünf Gruppen aus Buchstaben und Ziffern.',
      },
      reddit: { name: 'Reddit', where: 'Events Manager: Die Pixel-ID beginnt mit t2_ oder a2_.' },
      tiktok: {
        name: 'TikTok',
        where: 'Events Manager, dann Web-Events: die Pixel-ID unter dem Namen.',
      },
    },
  },
};
