export const messages = {
  en: {
    settings: {
      title: 'Settings',
      appearance: {
        title: 'Appearance',
        description: 'How Waypost looks on this device.',
        theme: 'Theme',
      },
      account: {
        title: 'Account',
        description: 'Who you are on {name}.',
        name: 'Name',
        username: 'User name',
        email: 'E-mail',
        registered: 'Member since',
        timezone: 'Time zone',
        role: 'Role',
        admin: 'Administrator',
        member: 'Member',
        unset: 'Not set',
        signOut: 'Sign out',
      },
      api: {
        title: 'API',
        description:
          'Everything you can do here, a script can do as well. Use the key you were shown at set-up.',
        sample: 'Make a short link',
        copySample: 'Copy command',
        reference: 'Open the API reference',
      },
      about: {
        title: 'About',
        description: 'What runs here.',
        server: 'Server',
        version: 'Version',
        contract: 'Contract',
        address: 'Address',
        app: 'Desktop app',
        features: 'Features',
      },
    },
  },
};
