export const messages = {
  en: {
    sharing: {
      title: 'Network sharing',
      description: 'Let other computers and phones on your network open this instance and its short links.',
      switch: 'Share with my network',
      on: 'Anyone on your network can open the URLs below. Everything except short links requires an account or a key.',
      off: 'Only this computer can reach it.',
      fixed: 'Set at startup; it can’t be changed here.',
      https: 'Sign-in and administration (encrypted)',
      httpsHelp:
        'Passwords, keys and everything else sent to these URLs is encrypted. They stay the same as long as this computer keeps its IP address.',
      httpsProblem:
        'Until this is fixed, other computers can’t sign in here over https. Short links still work.',
      otherPort: 'Choose another port',
      portChosen: 'Port changed',
      fingerprintLabel: 'Fingerprint of this instance (SHA-256)',
      fingerprint:
        'When another computer opens one of these URLs, it asks you to confirm this server. Compare this fingerprint with the one shown there: all of it must match.',
      rootHelp: 'Browsers warn about the certificate until the root is installed on the device:',
      root: 'download root certificate',
      addresses: 'Short links, not encrypted',
      addressesHelp: 'Every device can open these without a warning, as short links and QR codes need.',
      none: 'This computer isn’t on a network right now. Checking every few seconds.',
      copy: 'Copy {url}',
      onlyHere: 'Short links still begin with {url}',
      onlyHereHelp: 'Only this computer can open them.',
      useNow: 'Use {url}',
      use: 'Use it for short links',
      used: 'Used for short links',
      useDone: 'Short links now use {url}',
      plain: 'Also allow unencrypted sign-in',
      plainIsOff:
        'Other computers are redirected to the encrypted URLs. Keys and passwords aren’t accepted here.',
      plainIsOn: 'Anyone on your network can read what is sent to these URLs, including passwords and keys.',
      plainOn: 'Unencrypted sign-in allowed',
      plainOff: 'Keys and passwords are accepted over https only',
      consent: {
        title: 'Allow unencrypted passwords and keys?',
        description:
          'Anyone on the same network, such as Wi-Fi guests or a compromised device, can then read and use the passwords and keys of people who sign in without https. Do this only on a network where you trust every device, and only for apps that can’t use https.',
        action: 'I understand, allow it',
      },
      badge: 'Shared on your network',
      switchedOn: 'Sharing turned on',
      switchedOff: 'Sharing turned off',
    },
  },
};
