export const messages = {
  en: {
    instance: {
      fixed: 'Fixed',
      fixedWhy: 'Set on the command line or in the environment when the server was started.',
      forever: 'For ever',
      groups: {
        network: { title: 'Network', description: 'Where the instance is reached, and whom it trusts.' },
        ssl: {
          title: 'Domains and certificates',
          description: 'How branded domains are checked and secured.',
        },
        people: { title: 'People and limits', description: 'Who may join, and how much one may ask for.' },
        privacy: { title: 'Privacy', description: 'What is kept of visitors.' },
      },
      fields: {
        baseUrl: {
          label: 'Public address',
          help: 'What short links begin with. Empty: the address that the server listens on.',
        },
        sharing: {
          label: 'Share in this network',
          help: 'Other machines of the network may use the instance.',
        },
        publicAddresses: {
          label: 'Public addresses',
          help: 'Where branded domains have to point to, one a line: IP addresses or a host name.',
        },
        dnsServers: {
          label: 'DNS servers',
          help: 'Asked when domains are checked, one a line. Empty: those of the system.',
        },
        trustedProxies: {
          label: 'Trusted proxies',
          help: 'Their X-Forwarded-For is believed. One address or range a line.',
        },
        allowedPrivateRanges: {
          label: 'Allowed private ranges',
          help: 'Private addresses that pictures and page titles may be fetched from all the same.',
        },
        ssl: {
          mode: { label: 'Certificates', help: 'Who provides HTTPS for branded domains.' },
          acmeEmail: {
            label: 'E-mail for the authority',
            help: 'It may warn you before a certificate runs out.',
          },
          acmeDirectory: { label: 'ACME directory', help: 'The address of the certificate authority.' },
        },
        domainSyncMinutes: { label: 'Check every … minutes', help: 'How often new domains are looked at.' },
        registration: { label: 'New accounts', help: 'Who may make one.' },
        defaultPlan: { label: 'Plan of new accounts', help: 'Unless an invitation says otherwise.' },
        ratelimit: { label: 'Requests a minute', help: 'For each API key without a limit of its own.' },
        maxUploadMb: { label: 'Largest file (MB)', help: 'Larger uploads are refused.' },
        privacy: {
          storeAddresses: {
            label: 'Keep the addresses of visitors',
            help: 'Shown with each visit. Switched off, stored addresses are deleted within the hour.',
          },
          doNotTrack: {
            label: 'Respect “do not track”',
            help: 'Visits that ask not to be tracked are answered, but not recorded.',
          },
          uncountedAddresses: {
            label: 'Do not count',
            help: 'Visits from these addresses or ranges, one a line.',
          },
        },
        retentionDays: { label: 'Keep single clicks for … days', help: 'Totals stay. Empty: for ever.' },
        backup: {
          enabled: { label: 'Make backups daily', help: 'By itself, while the server runs.' },
          hour: { label: 'At', help: 'Every day, in the time zone of the server.' },
          keepDaily: { label: 'Keep daily ones for … days', help: 'The newest of each day.' },
          keepWeekly: { label: 'And weekly ones for … weeks', help: 'The newest of each week before that.' },
          folder: { label: 'Folder', help: 'On the server. Empty: the one beside the database.' },
        },
      },
      options: {
        ssl: {
          off: 'None: plain HTTP',
          external: 'A proxy in front does it',
          local: 'An authority of our own, for this network',
          acme: 'Let’s Encrypt or another ACME authority',
        },
        registration: {
          closed: 'Only administrators',
          invitation: 'Whoever has an invitation',
          open: 'Everybody',
        },
      },
    },
  },
};
