export const messages = {
  en: {
    sharing: {
      title: 'Sharing in your network',
      description: 'Whether other computers and phones near you can open this instance and its short links.',
      switch: 'Share with my network',
      on: 'Everybody in your network can open the addresses below. To see anything but your short links they need an account here, or a key.',
      off: 'Nobody but this computer reaches it.',
      fixed: 'The start of the server decided this; it cannot be changed here.',
      plain:
        'Without https, others in the network can read what is sent, keys included. Share in networks that you trust.',
      addresses: 'Addresses',
      none: 'This computer has no address in a network right now. It is looked for every few seconds.',
      copy: 'Copy {url}',
      use: 'Use it for short links',
      used: 'Short links begin with it',
      useDone: 'Short links begin with {url} from now on',
      https: 'Over HTTPS',
      fingerprint: 'Compare this fingerprint on the other device before you trust the certificate:',
      root: 'Download the root certificate',
      httpsHelp:
        'To encrypt what is sent, choose “An authority of our own” for certificates in Instance, and start the server with an HTTPS port.',
      badge: 'Shared in your network',
      switchedOn: 'Shared with your network',
      switchedOff: 'No longer shared',
    },
  },
};
