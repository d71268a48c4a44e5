import type { messages as source } from '../../network/sharing/messages.ts';

export const sharing: (typeof source)['en'] = {
  sharing: {
    title: 'Netzwerkfreigabe',
    description:
      'Andere Computer und Smartphones im Netzwerk können diese Instanz und ihre Kurzlinks öffnen.',
    switch: 'Im Netzwerk freigeben',
    on: 'Alle im Netzwerk können die URLs unten öffnen. Außer Kurzlinks verlangt alles ein Konto oder einen Schlüssel.',
    off: 'Nur dieser Computer erreicht sie.',
    fixed: 'Beim Start festgelegt; hier nicht änderbar.',
    https: 'Anmeldung und Verwaltung (verschlüsselt)',
    httpsHelp:
      'Passwörter, Schlüssel und alles andere, was an diese URLs gesendet wird, ist verschlüsselt. Sie bleiben gleich, solange dieser Computer seine IP-Adresse behält.',
    httpsProblem:
      'Bis das behoben ist, ist von anderen Computern keine Anmeldung über https möglich. Kurzlinks funktionieren weiter.',
    otherPort: 'Anderen Port wählen',
    portChosen: 'Port geändert',
    fingerprintLabel: 'Fingerabdruck dieser Instanz (SHA-256)',
    fingerprint:
      'Öffnet ein anderer Computer eine dieser URLs, fragt er, ob dieser Server der richtige ist. Diesen Fingerabdruck mit dem dort angezeigten vergleichen: Er muss ganz übereinstimmen.',
    rootHelp: 'Browser warnen vor dem Zertifikat, bis das Stammzertifikat auf dem Gerät installiert ist:',
    root: 'Stammzertifikat herunterladen',
    addresses: 'Kurzlinks, nicht verschlüsselt',
    addressesHelp: 'Jedes Gerät öffnet diese ohne Warnung, wie es Kurzlinks und QR-Codes brauchen.',
    none: 'Dieser Computer ist gerade in keinem Netzwerk. Es wird alle paar Sekunden geprüft.',
    copy: '{url} kopieren',
    onlyHere: 'Kurzlinks beginnen noch mit {url}',
    onlyHereHelp: 'Nur dieser Computer kann sie öffnen.',
    useNow: '{url} verwenden',
    use: 'Für Kurzlinks verwenden',
    used: 'Wird für Kurzlinks verwendet',
    useDone: 'Kurzlinks verwenden jetzt {url}',
    plain: 'Auch unverschlüsselte Anmeldung erlauben',
    plainIsOff:
      'Andere Computer werden zu den verschlüsselten URLs weitergeleitet. Schlüssel und Passwörter werden hier nicht angenommen.',
    plainIsOn:
      'Alle im Netzwerk können lesen, was an diese URLs gesendet wird, auch Passwörter und Schlüssel.',
    plainOn: 'Unverschlüsselte Anmeldung erlaubt',
    plainOff: 'Schlüssel und Passwörter werden nur über https angenommen',
    consent: {
      title: 'Unverschlüsselte Passwörter und Schlüssel erlauben?',
      description:
        'Alle im selben Netzwerk, etwa WLAN-Gäste oder ein kompromittiertes Gerät, können dann Passwörter und Schlüssel von Personen lesen und verwenden, die sich ohne https anmelden. Nur in einem Netzwerk erlauben, in dem jedes Gerät vertrauenswürdig ist, und nur für Apps, die https nicht beherrschen.',
      action: 'Verstanden, erlauben',
    },
    badge: 'Im Netzwerk freigegeben',
    switchedOn: 'Freigabe eingeschaltet',
    switchedOff: 'Freigabe ausgeschaltet',
  },
};
