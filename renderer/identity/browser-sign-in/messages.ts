export const messages = {
  en: {
    browserSignIn: {
      start: 'Sign in with your browser',
      waiting: 'Continue in your browser',
      waitingHelp: 'Sign in there and allow access. Waypost then continues automatically.',
      again: 'Open the browser again',
      cancel: 'Cancel',
      denied: 'Access was denied in the browser. Try again, or sign in another way.',
      connect: {
        page: 'Allow access',
        title: '{device} asks for access',
        lead: 'to your account {account} on {name}',
        gets: 'If you allow it, that app can',
        powers: {
          all: 'see, create, edit and delete everything you can',
          settings: 'change your account and create API keys',
          until: 'stay signed in until you sign it out under Settings, Security',
        },
        warning: 'Allow this only if you just chose “Sign in with your browser” in Waypost on this computer.',
        allow: 'Allow',
        deny: 'Deny',
        other: 'Use another account',
        incomplete: 'This link doesn’t work',
        incompleteHelp: 'A part of it is missing. Choose “Sign in with your browser” in the app again.',
        home: 'Go to Waypost',
      },
    },
  },
};
