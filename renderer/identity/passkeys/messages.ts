export const messages = {
  en: {
    passkeys: {
      title: 'Passkeys',
      description: 'Sign in with your fingerprint, face, PIN or a security key instead of a password.',
      none: 'No passkeys yet. They cannot be guessed or phished, and no code is needed.',
      add: 'Add a passkey',
      added: 'Passkey added',
      cancelled: 'No passkey was added. Your browser reported that it was cancelled or timed out.',
      exists: 'This device already has a passkey for your account.',
      host: 'for {host}',
      synced: 'Synced',
      syncedHelp: 'Your password manager keeps it on several devices.',
      used: 'Last used',
      unused: 'Never used',
      rename: 'Rename {name}',
      name: 'Name',
      save: 'Save',
      renamed: 'Passkey renamed',
      remove: 'Remove {name}',
      deleted: 'Passkey removed',
      confirm: {
        title: 'Remove “{name}”?',
        description:
          'You can no longer sign in with it here. Delete it from your device or password manager, too: this page cannot do that.',
        action: 'Remove',
      },
      passwordHelp: 'Your browser then asks how to save the passkey.',
      continue: 'Continue',
      cancel: 'Cancel',
      obstacles: {
        desktop:
          'Passkeys belong to a web address, so they are added and used in a browser. Open {address} there.',
        insecure: 'Passkeys need HTTPS. Open this instance over https:// to add or use them.',
        address: 'Passkeys do not work at a bare IP address. Open this instance under its host name.',
        browser: 'This browser does not support passkeys.',
      },
      signIn: 'Sign in with a passkey',
      signInCancelled:
        'You were not signed in: the request was cancelled, timed out, or there is no passkey for this address.',
      or: 'or',
    },
  },
};
