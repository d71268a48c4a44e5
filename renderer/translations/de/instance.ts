import type { messages as source } from '../../operations/instance/messages.ts';
import { privacy } from './privacy.ts';

const { noReferrer, noBrowser, noPlace, noSignedIn, keep } = privacy.privacy;

export const instance: (typeof source)['en'] = {
  instance: {
    fixed: 'Fest',
    fixedWhy: 'Auf der Kommandozeile oder in der Umgebung festgelegt.',
    forever: 'Für immer',
    places: {
      title: 'Orte von Besuchern',
      description: 'Aus dieser Datenbank stammen die Orte der Besucher.',
      source: 'Herkunft',
      sources: {
        bundled: 'Teil des Programms',
        started: 'Beim Start des Servers angegeben',
        uploaded: 'Hochgeladen',
      },
      type: 'Name',
      built: 'Veröffentlicht',
      knows: 'Kennt',
      levels: { countries: 'Länder', regions: 'Länder und Regionen', cities: 'Länder, Regionen und Städte' },
      count: 'Orte',
      size: 'Größe',
      upload: 'Datenbank hochladen …',
      remove: 'Hochgeladene entfernen',
      uploaded: 'Ortsdatenbank aktualisiert',
      removed: 'Hochgeladene Datenbank entfernt',
      none: 'Es ist keine Datenbank installiert: Das Land der Besucher bleibt unbekannt.',
      hint: 'Nimmt MMDB-Dateien bis 256 MB, zum Beispiel von MaxMind oder DB-IP. Die Datei bleibt über Neustarts erhalten und ist nicht Teil von Backups. Edges eines Verbunds haben eigene.',
    },
    groups: {
      network: { title: 'Netzwerk', description: 'Adressen, DNS und vertrauenswürdige Proxys.' },
      ssl: {
        title: 'Domains und Zertifikate',
        description: 'Wie eigene Domains geprüft und gesichert werden.',
      },
      people: { title: 'Personen und Limits', description: 'Registrierung und Anfragelimits.' },
      privacy: { title: 'Datenschutz', description: 'Was über Besucher gespeichert wird.' },
    },
    fields: {
      baseUrl: {
        label: 'Öffentliche URL',
        help: 'Die Basis der Kurzlinks. Leer lassen, um die Adresse zu verwenden, auf der der Server lauscht.',
      },
      sharing: {
        label: 'In diesem Netzwerk freigeben',
        help: 'Andere Geräte im Netzwerk können die Instanz verwenden.',
      },
      publicAddresses: {
        label: 'Öffentliche Adressen',
        help: 'Worauf eigene Domains zeigen müssen: IP-Adressen oder ein Hostname, je Zeile eine Angabe.',
      },
      dnsServers: {
        label: 'DNS-Server',
        help: 'Zum Prüfen von Domains, einer pro Zeile. Leer lassen für die des Systems.',
      },
      trustedProxies: {
        label: 'Vertrauenswürdige Proxys',
        help: 'Ihrem Header X-Forwarded-For wird vertraut. Je Zeile eine Adresse oder ein Bereich.',
      },
      allowedPrivateRanges: {
        label: 'Erlaubte private Netze',
        help: 'Private Netze, aus denen Waypost Bilder und Seitentitel abrufen darf.',
      },
      ssl: {
        mode: { label: 'Zertifikate', help: 'Wer HTTPS für eigene Domains bereitstellt.' },
        acmeEmail: {
          label: 'E-Mail für die Zertifizierungsstelle',
          help: 'Sie warnt eventuell, bevor ein Zertifikat abläuft.',
        },
        acmeDirectory: { label: 'ACME-Verzeichnis', help: 'URL der Zertifizierungsstelle.' },
      },
      domainSyncMinutes: {
        label: 'Prüfabstand (Minuten)',
        help: 'Wie oft neue Domains geprüft werden.',
      },
      registration: { label: 'Neue Konten', help: 'Wer eines erstellen kann.' },
      defaultPlan: { label: 'Tarif für neue Konten', help: 'Sofern eine Einladung nichts anderes vorsieht.' },
      ratelimit: { label: 'Anfragen pro Minute', help: 'Für jeden API-Schlüssel ohne eigenes Limit.' },
      maxUploadMb: { label: 'Größte Datei (MB)', help: 'Größere Uploads werden abgelehnt.' },
      privacy: {
        noReferrer,
        noBrowser,
        noPlace,
        noSignedIn,
        keep: { label: keep.label, help: keep.help },
        storeAddresses: {
          label: 'IP-Adressen der Besucher speichern',
          help: 'Werden bei jedem Besuch angezeigt. Nach dem Ausschalten werden gespeicherte Adressen innerhalb einer Stunde gelöscht.',
        },
        doNotTrack: {
          label: '„Do Not Track“ beachten',
          help: 'Wer nicht verfolgt werden möchte, wird weitergeleitet, aber nicht erfasst.',
        },
        uncountedAddresses: {
          label: 'Nicht zählen',
          help: 'Besuche von diesen IP-Adressen oder Bereichen, je Zeile eine Angabe.',
        },
      },
      retentionDays: {
        label: 'Einzelne Klicks aufbewahren (Tage)',
        help: 'Summen bleiben erhalten. Leer lassen für unbegrenzt.',
      },
      backup: {
        enabled: { label: 'Täglich sichern', help: 'Läuft automatisch, solange der Server in Betrieb ist.' },
        hour: { label: 'Um', help: 'Jeden Tag, in der Zeitzone des Servers.' },
        keepDaily: { label: 'Tägliche Backups behalten (Tage)', help: 'Das letzte jedes Tages.' },
        keepWeekly: {
          label: 'Wöchentliche Backups behalten (Wochen)',
          help: 'Das letzte jeder Woche davor.',
        },
        folder: {
          label: 'Ordner',
          help: 'Auf dem Server. Leer lassen, um Backups neben der Datenbank abzulegen.',
        },
      },
    },
    options: {
      keep: {
        clicks: 'Klicks mit ihren Angaben',
        counts: 'Nur die Anzahl',
        nothing: 'Gar nichts',
      },
      ssl: {
        off: 'Keine: unverschlüsseltes HTTP',
        external: 'Von einem Reverse-Proxy verwaltet',
        local: 'Eingebaute Zertifizierungsstelle (lokales Netzwerk)',
        acme: 'Let’s Encrypt oder eine andere ACME-Stelle',
      },
      registration: {
        closed: 'Nur Administratoren',
        invitation: 'Nur mit Einladung',
        open: 'Alle',
      },
    },
  },
};
