import type { trustSteps as source } from '../../network/domains/trust-messages.ts';

/** Instructions for trusting the local authority, with the terms of each system's settings; part of domains.ts. */
export const trustSteps: typeof source = {
  open: 'Auf Geräten vertrauen',
  title: 'Der lokalen Zertifizierungsstelle vertrauen',
  description:
    'Diese Instanz stellt die Zertifikate für Namen im eigenen Netzwerk aus. Ein Gerät akzeptiert sie ohne Warnung, sobald das Stammzertifikat darauf installiert ist.',
  download: 'Stammzertifikat herunterladen',
  copy: 'URL kopieren',
  fingerprint: 'Vor dem Vertrauen den SHA-256-Fingerabdruck vergleichen:',
  fingerprintLabel: 'Fingerabdruck des Stammzertifikats',
  system: 'System des Geräts',
  systems: {
    windows: {
      name: 'Windows',
      steps: [
        'Die heruntergeladene Datei öffnen und „Zertifikat installieren …“ wählen.',
        '„Lokaler Computer“ wählen, dann „Alle Zertifikate in folgendem Speicher speichern“.',
        'Den Speicher „Vertrauenswürdige Stammzertifizierungsstellen“ wählen und fertigstellen.',
        'Den Browser neu starten.',
      ],
    },
    macos: {
      name: 'macOS',
      steps: [
        'Die heruntergeladene Datei öffnen; die Schlüsselbundverwaltung fügt sie dem Schlüsselbund „Anmeldung“ hinzu.',
        'Dort „Waypost local authority“ suchen und öffnen.',
        'Unter „Vertrauen“ bei „Bei Verwendung dieses Zertifikats“ die Option „Immer vertrauen“ wählen und das Fenster schließen.',
        'Mit dem Passwort bestätigen.',
      ],
    },
    linux: {
      name: 'Linux',
      steps: [
        'Debian und Ubuntu: die Datei nach /usr/local/share/ca-certificates/ kopieren und „sudo update-ca-certificates“ ausführen.',
        'Fedora: nach /etc/pki/ca-trust/source/anchors/ kopieren und „sudo update-ca-trust“ ausführen.',
        'Chromium hat eine eigene Liste: chrome://settings/certificates öffnen, „Zertifizierungsstellen“ wählen und die Datei importieren.',
      ],
    },
    ios: {
      name: 'iPhone, iPad',
      steps: [
        'Die URL des Stammzertifikats in Safari öffnen und den Download des Profils erlauben.',
        'Einstellungen › Allgemein › VPN und Geräteverwaltung öffnen, das Profil wählen und installieren.',
        'Einstellungen › Allgemein › Info › Zertifikatsvertrauenseinstellungen öffnen und es dort einschalten.',
      ],
    },
    android: {
      name: 'Android',
      steps: [
        'Das Stammzertifikat auf dem Gerät herunterladen.',
        'Einstellungen › Sicherheit und Datenschutz › Weitere Sicherheitseinstellungen › Verschlüsselung und Anmeldedaten › Zertifikat installieren öffnen.',
        '„CA-Zertifikat“ wählen, die Warnung bestätigen und die Datei auswählen.',
      ],
    },
    firefox: {
      name: 'Firefox',
      steps: [
        'Einstellungen › Datenschutz & Sicherheit öffnen und am Ende „Zertifikate anzeigen …“ wählen.',
        'Unter „Zertifizierungsstellen“ auf „Importieren …“ klicken und die heruntergeladene Datei wählen.',
        '„Dieser CA vertrauen, um Websites zu identifizieren“ ankreuzen.',
      ],
    },
  },
};
