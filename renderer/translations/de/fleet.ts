import type { messages as source } from '../../network/fleet/messages.ts';

export const fleet: (typeof source)['en'] = {
  fleet: {
    title: 'Verbund',
    description:
      'Andere Rechner beantworten Kurzlinks, auch wenn dieser schläft. Ein NATS-Server hält sie auf gleichem Stand.',
    states: {
      off: 'Aus',
      connecting: 'Wird verbunden',
      connected: 'Verbunden',
      unreachable: 'Nicht erreichbar',
      refused: 'Abgelehnt',
    },
    reasons: {
      address: 'Eine Adresse wie nats://engine.example.com:4222 eingeben, ohne Benutzer darin.',
      unreachable: 'Der NATS-Server antwortet nicht unter {detail}. Adresse prüfen, und ob er läuft.',
      no_engine: 'Unter {detail} antwortet kein NATS-Server. Adresse und Port prüfen.',
      ended: 'Die Verbindung zum NATS-Server ist abgebrochen. Sie wird neu versucht.',
      credentials: 'Der NATS-Server nimmt diese Zugangsdaten nicht an. Bitte prüfen.',
      rights:
        'Diesem Benutzer des NATS-Servers fehlen Rechte, die ein Verbund braucht. Die Konfiguration verwenden, die „waypost fleet config“ ausgibt.',
      no_jetstream:
        'JetStream ist auf dem NATS-Server aus. Einschalten (nats-server -js) und erneut versuchen.',
      tls: 'Die TLS-Verbindung zum NATS-Server ist fehlgeschlagen: {detail}. Stammt sein Zertifikat von einer eigenen Zertifizierungsstelle, diesen Server mit deren Datei in NODE_EXTRA_CA_CERTS starten.',
      no_tls:
        'Der NATS-Server unter {detail} verwendet kein TLS. Es dort einschalten oder die Adresse mit nats:// beginnen.',
      old_engine: 'Der NATS-Server hat Version {detail}. Auf 2.9 oder neuer aktualisieren.',
      no_room:
        'Der NATS-Server hat keinen Platz mehr für den Verbund. JetStream mehr Speicher geben (max_file_store).',
      clicks_full:
        'Der NATS-Server hat keinen Platz mehr für Klicks. Sie warten auf ihren Edges, bis dieser Server die vorhandenen übernommen hat.',
      taken:
        'Ein anderer Server schreibt diesen Verbund: eine andere Instanz, eine Kopie dieses Datenordners oder eine anderswo wiederhergestellte. Diesen anhalten oder den Verbund übernehmen.',
      locked:
        'Die Geheimnisse des Verbunds lassen sich nicht öffnen: Die Instanz hat inzwischen einen anderen Schlüssel. Den früheren Schlüssel wiederherstellen, oder den Verbund übernehmen und alles neu eingeben: Dann beginnt ein neuer Verbund, dem die Edges erneut beitreten müssen.',
      failed: 'Der Verbund konnte mit dem NATS-Server nicht arbeiten: {detail}.',
    },
    noAddress: 'Keine öffentliche URL festgelegt',
    noAddressHelp: 'Edges antworten unter der öffentlichen URL. Diese zuerst festlegen.',
    setAddress: 'Öffentliche URL festlegen',
    enabled: 'Verbund verwenden',
    enabledHelp: 'Links und Seiten an die Edges senden und deren Klicks übernehmen.',
    url: 'NATS-Server',
    urlHelp: 'Beginnt mit nats://, tls://, ws:// oder wss://. Mehrere Server mit Kommas trennen.',
    signin: 'Anmelden mit',
    signins: {
      user: 'Benutzer und Passwort',
      token: 'Token',
      credentials: 'Credentials-Datei',
      none: 'Nichts',
    },
    user: 'Benutzer',
    password: 'Passwort',
    token: 'Token',
    credentials: 'Credentials',
    credentialsHelp: 'Text der .creds-Datei einfügen.',
    secretHelp:
      'Wird verschlüsselt gespeichert und nie angezeigt. Leer lassen, um das gespeicherte zu behalten.',
    edgeuser: 'Benutzer für Edges',
    edgeuserHelp:
      'Ein zweiter Benutzer mit weniger Rechten. Der Befehl „waypost fleet config --passwords“ legt beide an.',
    edgepassword: 'Passwort für Edges',
    signingkey: 'Signierschlüssel',
    signingkeyHelp: 'Die Zeile aus signing.key einfügen. Damit bekommt jede Edge eigene Rechte.',
    operatorkey: 'Operator-Schlüssel',
    operatorkeyHelp:
      'Optional. Den Text von operator.key einfügen, damit der NATS-Server gesperrte Edges selbst abweist.',
    test: 'Verbindung testen',
    tested: 'Der NATS-Server antwortet und hat, was ein Verbund braucht.',
    takeOver: {
      open: 'Übernehmen',
      title: 'Diesen Verbund übernehmen?',
      description:
        'Der andere Server schreibt dann nicht mehr. Nur übernehmen, wenn es jenen Server nicht mehr gibt oder auf diesen umgezogen wurde.',
      action: 'Übernehmen',
      done: 'Verbund übernommen',
    },
    engine: {
      servers: 'Server',
      streams: 'Streams',
      bytes: 'Gespeichert',
      position: 'Letzte gesendete Änderung',
      oldest: 'Älteste aufbewahrte Änderung',
    },
    edges: {
      title: 'Edges',
      description: 'Die Rechner, die Kurzlinks beantworten. Domains auf ihre IP-Adressen zeigen lassen.',
      add: 'Edge hinzufügen',
      empty: 'Noch keine Edges',
      emptyHelp: 'Eine hinzufügen und den angezeigten Befehl auf dem anderen Rechner ausführen.',
      emptyOff: 'Den Verbund einschalten, um Edges hinzuzufügen.',
      states: {
        waiting: 'Noch nicht beigetreten',
        current: 'Aktuell',
        behind: 'Im Rückstand',
        away: 'Nicht erreichbar',
        revoked: 'Gesperrt',
      },
      reasons: {
        update:
          'Dieser Server hat eine neuere Version. Die Edge aktualisieren; bis dahin antwortet sie mit ihrem Stand.',
        disk_full:
          'Auf dem Datenträger der Edge ist kein Platz für eine neue Kopie der Links. Dort Platz schaffen; bis dahin antwortet sie mit ihrem Stand.',
        clock_ahead:
          'Die Uhr der Edge geht gegenüber der des Servers um {detail} min vor. Die falsch gehende Uhr stellen.',
        clock_behind:
          'Die Uhr der Edge geht gegenüber der des Servers um {detail} min nach. Die falsch gehende Uhr stellen.',
        unreadable:
          'Unlesbare Nachrichten im Namen der Edge wurden ausgelassen: {detail}. Kommen weitere, nutzt vielleicht jemand anderes ihre Zugangsdaten: Die Edge sperren und neu hinzufügen.',
        no_room:
          'Der NATS-Server hat keinen Platz mehr. JetStream mehr Speicher geben (max_file_store); Klicks warten auf der Edge.',
        clicks_full:
          'Der NATS-Server hat keinen Platz mehr für Klicks. Sie warten auf der Edge, bis dieser Server die vorhandenen übernommen hat.',
        failed:
          'Der NATS-Server nimmt ihre Klicks nicht an. Sie warten auf der Edge; deren Protokoll nennt den Grund.',
      },
      version: 'Version',
      addresses: 'Adressen',
      since: 'Beigetreten',
      rate: 'Anfragen pro Sekunde',
      lag: 'Rückstand',
      lagBy: '{count} Änderung, {seconds} s | {count} Änderungen, {seconds} s',
      waiting: 'Noch zu senden',
      lost: 'Ein Besuch seit dem Start der Edge wurde nicht gezählt, weil sein Speicherplatz voll war. Er erreichte trotzdem sein Ziel. | {count} Besuche seit dem Start der Edge wurden nicht gezählt, weil sein Speicherplatz voll war. Sie erreichten trotzdem ihr Ziel.',
      noLag: 'Keiner',
      none: 'Keine',
      revoke: 'Sperren',
      cutoff:
        'Der NATS-Server lässt diese Edge noch zu. Diesen Befehl einmal dort ausführen, wo operator.key liegt:',
      revokeNamed: '{name} sperren',
    },
    form: {
      title: 'Edge hinzufügen',
      description: 'Ein Rechner, der Kurzlinks beantworten soll.',
      name: 'Name',
      nameRequired: 'Einen Namen eingeben.',
      region: 'Region',
      regionHelp: 'Nur zur eigenen Übersicht, etwa eine Stadt.',
      submit: 'Edge hinzufügen',
    },
    made: {
      title: 'Diesen Befehl auf der Edge ausführen',
      description: 'Er wird nur jetzt angezeigt und funktioniert einmal, innerhalb einer Stunde.',
      copy: 'Befehl kopieren',
      done: 'Fertig',
    },
    revoke: {
      title: '{name} sperren?',
      description:
        'Die Edge antwortet sofort nicht mehr und kann nie wieder beitreten. Klicks, die sie gesendet hat, bleiben erhalten.',
      action: 'Sperren',
      done: 'Edge gesperrt',
    },
  },
};
