import { messages as privacy } from '../../visits/privacy/messages.ts';

/** The account has the same settings with the same labels. */
const { noReferrer, noBrowser, noPlace, noSignedIn, keep } = privacy.en.privacy;

export const messages = {
  en: {
    instance: {
      fixed: 'Fixed',
      fixedWhy: 'Set on the command line or in the environment.',
      forever: 'Forever',
      places: {
        title: 'Visitor locations',
        description: 'The database used to locate visitors.',
        source: 'Source',
        sources: {
          bundled: 'Built in',
          started: 'Set at startup',
          uploaded: 'Uploaded',
        },
        type: 'Name',
        built: 'Published',
        knows: 'Knows',
        levels: {
          countries: 'Countries',
          regions: 'Countries and regions',
          cities: 'Countries, regions and cities',
        },
        count: 'Places',
        size: 'Size',
        upload: 'Upload database…',
        remove: 'Remove upload',
        uploaded: 'Location database updated',
        removed: 'Upload removed',
        none: 'No database installed: visitors’ countries are unknown.',
        hint: 'Accepts MMDB files of up to 256 MB, for example from MaxMind or DB-IP. The file is kept across restarts and isn’t part of backups. Fleet edges have their own.',
      },
      groups: {
        network: { title: 'Network', description: 'Addresses, DNS and trusted proxies.' },
        ssl: {
          title: 'Domains and certificates',
          description: 'How branded domains are checked and secured.',
        },
        people: { title: 'People and limits', description: 'Sign-ups and rate limits.' },
        privacy: { title: 'Privacy', description: 'What is stored about visitors.' },
      },
      fields: {
        baseUrl: {
          label: 'Public URL',
          help: 'The base of short links. Leave empty to use the address the server listens on.',
        },
        sharing: {
          label: 'Share in this network',
          help: 'Other devices on the network can use the instance.',
        },
        publicAddresses: {
          label: 'Public addresses',
          help: 'Where branded domains must point: IP addresses or a hostname, one per line.',
        },
        dnsServers: {
          label: 'DNS servers',
          help: 'Used to check domains, one per line. Leave empty to use the system’s.',
        },
        trustedProxies: {
          label: 'Trusted proxies',
          help: 'Their X-Forwarded-For header is trusted. One address or range per line.',
        },
        allowedPrivateRanges: {
          label: 'Allowed private networks',
          help: 'Private networks Waypost may fetch images and page titles from.',
        },
        ssl: {
          mode: { label: 'Certificates', help: 'Who provides HTTPS for branded domains.' },
          acmeEmail: {
            label: 'Email for the authority',
            help: 'It may warn you before a certificate expires.',
          },
          acmeDirectory: { label: 'ACME directory', help: 'URL of the certificate authority.' },
        },
        domainSyncMinutes: { label: 'Check interval (minutes)', help: 'How often new domains are checked.' },
        registration: { label: 'New accounts', help: 'Who can create one.' },
        defaultPlan: { label: 'Plan for new accounts', help: 'Unless an invitation says otherwise.' },
        ratelimit: { label: 'Requests per minute', help: 'For each API key without its own limit.' },
        maxUploadMb: { label: 'Largest file (MB)', help: 'Larger uploads are refused.' },
        privacy: {
          noReferrer,
          noBrowser,
          noPlace,
          noSignedIn,
          keep: { label: keep.label, help: keep.help },
          storeAddresses: {
            label: 'Store visitors’ IP addresses',
            help: 'Shown with each visit. When turned off, stored addresses are deleted within an hour.',
          },
          doNotTrack: {
            label: 'Respect “do not track”',
            help: 'Visits that ask not to be tracked are answered, but not recorded.',
          },
          uncountedAddresses: {
            label: 'Do not count',
            help: 'Visits from these IP addresses or ranges, one per line.',
          },
        },
        retentionDays: {
          label: 'Keep individual clicks for (days)',
          help: 'Totals are kept. Leave empty to keep forever.',
        },
        backup: {
          enabled: { label: 'Back up daily', help: 'Runs automatically while the server is up.' },
          hour: { label: 'At', help: 'Every day, in the server’s time zone.' },
          keepDaily: { label: 'Keep daily backups (days)', help: 'The latest of each day.' },
          keepWeekly: { label: 'Keep weekly backups (weeks)', help: 'The latest of each week before that.' },
          folder: {
            label: 'Folder',
            help: 'On the server. Leave empty to store backups next to the database.',
          },
        },
      },
      options: {
        keep: {
          clicks: 'Clicks with their details',
          counts: 'Counts only',
          nothing: 'Nothing at all',
        },
        ssl: {
          off: 'None: unencrypted HTTP',
          external: 'Managed by a reverse proxy',
          local: 'Built-in certificate authority (local network)',
          acme: 'Let’s Encrypt or another ACME authority',
        },
        registration: {
          closed: 'Administrators only',
          invitation: 'Invite only',
          open: 'Everyone',
        },
      },
    },
  },
};
