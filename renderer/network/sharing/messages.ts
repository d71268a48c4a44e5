export const messages = {
  en: {
    sharing: {
      title: 'Sharing in your network',
      description: 'Whether other computers and phones near you can open this instance and its short links.',
      switch: 'Share with my network',
      on: 'Everybody in your network can open the addresses below. To see anything but your short links they need an account here, or a key.',
      off: 'Nobody but this computer reaches it.',
      fixed: 'The start of the server decided this; it cannot be changed here.',
      https: 'Sign in and work, encrypted',
      httpsHelp:
        'Passwords, keys and everything else that is sent to these addresses cannot be read on the way. They stay the same as long as this computer keeps its address.',
      httpsProblem:
        'Until this is solved, other computers cannot sign in here encrypted. Short links work all the same.',
      otherPort: 'Choose another port',
      portChosen: 'Another port was chosen',
      fingerprintLabel: 'Fingerprint of this instance (SHA-256)',
      fingerprint:
        'Another computer that opens one of these addresses asks whether it is really this one. Compare this fingerprint with what it shows there: all of it has to be the same.',
      rootHelp:
        'Browsers warn of a certificate that they do not know, until the root is installed on the device:',
      root: 'download the root certificate',
      addresses: 'Short links, not encrypted',
      addressesHelp:
        'Every device opens these without a question, which is what short links and QR codes need.',
      none: 'This computer has no address in a network right now. It is looked for every few seconds.',
      copy: 'Copy {url}',
      use: 'Use it for short links',
      used: 'Short links begin with it',
      useDone: 'Short links begin with {url} from now on',
      plain: 'Let people sign in without encryption, too',
      plainIsOff:
        'Other computers are sent to the encrypted addresses. Keys and passwords are not taken at these.',
      plainIsOn:
        'Everybody in your network can read what is sent to these addresses, passwords and keys included.',
      plainOn: 'Signing in without encryption is possible from now on',
      plainOff: 'Keys and passwords are taken encrypted only',
      consent: {
        title: 'Let passwords and keys travel in the clear?',
        description:
          'Everybody in the same network can then read the passwords and keys of those who sign in without https, and use them as if they were their own: guests in your Wi-Fi, and any device that was broken into. Do this only in a network in which you trust every device, and only for programs that cannot use https.',
        action: 'I understand, allow it',
      },
      badge: 'Shared in your network',
      switchedOn: 'Shared with your network',
      switchedOff: 'No longer shared',
    },
  },
};
