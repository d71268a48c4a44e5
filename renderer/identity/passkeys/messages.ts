export const messages = {
  en: {
    passkeys: {
      title: 'Passkeys',
      description: 'Sign in with your fingerprint, face, PIN or a security key instead of a password.',
      none: 'No passkeys yet. They can’t be guessed or phished, and no code is needed.',
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
          'You can no longer sign in with it here. Delete it from your device or password manager too: this page can’t do that.',
        action: 'Remove',
      },
      passwordHelp: 'Your browser then asks how to save the passkey.',
      continue: 'Continue',
      cancel: 'Cancel',
      obstacles: {
        desktop:
          'Passkeys belong to a website, so they’re added and used in a browser. Open {address} there.',
        insecure: 'Passkeys need HTTPS. Open this instance over https:// to add or use them.',
        address: 'Passkeys don’t work with a bare IP address. Open this instance by its hostname.',
        browser: 'This browser doesn’t support passkeys.',
      },
      signIn: 'Sign in with a passkey',
      signInCancelled:
        'You weren’t signed in: the request was cancelled or timed out, or there’s no passkey for this site.',
      or: 'or',
    },
  },
};
