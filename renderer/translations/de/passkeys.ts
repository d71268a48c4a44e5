import type { messages as source } from '../../identity/passkeys/messages.ts';

export const passkeys: (typeof source)['en'] = {
  passkeys: {
    title: 'Passkeys',
    description: 'Mit Fingerabdruck, Gesicht, PIN oder Sicherheitsschlüssel statt Passwort anmelden.',
    none: 'Noch keine Passkeys. Sie lassen sich weder erraten noch abfischen und brauchen keinen Code.',
    add: 'Passkey hinzufügen',
    added: 'Passkey hinzugefügt',
    cancelled:
      'Es wurde kein Passkey hinzugefügt. Der Browser meldet einen Abbruch oder eine Zeitüberschreitung.',
    exists: 'Dieses Gerät hat schon einen Passkey für dieses Konto.',
    host: 'für {host}',
    synced: 'Synchronisiert',
    syncedHelp: 'Der Passwortmanager hält ihn auf mehreren Geräten bereit.',
    used: 'Zuletzt verwendet',
    unused: 'Nie verwendet',
    rename: '{name} umbenennen',
    name: 'Name',
    save: 'Speichern',
    renamed: 'Passkey umbenannt',
    remove: '{name} entfernen',
    deleted: 'Passkey entfernt',
    confirm: {
      title: '„{name}“ entfernen?',
      description:
        'Die Anmeldung damit ist hier dann nicht mehr möglich. Auch auf dem Gerät oder im Passwortmanager löschen: Diese Seite kann das nicht.',
      action: 'Entfernen',
    },
    passwordHelp: 'Danach fragt der Browser, wie der Passkey gespeichert werden soll.',
    continue: 'Weiter',
    cancel: 'Abbrechen',
    obstacles: {
      desktop:
        'Passkeys gehören zu einer Webadresse und werden deshalb im Browser hinzugefügt und verwendet. Dort {address} öffnen.',
      insecure:
        'Passkeys brauchen HTTPS. Diese Instanz über https:// öffnen, um sie hinzuzufügen oder zu verwenden.',
      address:
        'Mit einer reinen IP-Adresse funktionieren Passkeys nicht. Diese Instanz über ihren Hostnamen öffnen.',
      browser: 'Dieser Browser unterstützt keine Passkeys.',
    },
    signIn: 'Mit Passkey anmelden',
    signInCancelled:
      'Anmeldung nicht erfolgt: Die Anfrage wurde abgebrochen, hat zu lange gedauert, oder es gibt keinen Passkey für diese Adresse.',
    or: 'oder',
  },
};
