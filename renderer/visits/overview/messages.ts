export const messages = {
  en: {
    overview: {
      scope: { campaign: 'Campaign', channel: 'Channel', domain: 'Domain' },
      title: 'Overview',
      newLink: 'New link',
      links: 'Links',
      active: '{count} active',
      top: { title: 'Most clicked by', campaigns: 'Campaigns', channels: 'Channels', domains: 'Domains' },
      topLinks: 'Top links',
      allLinks: 'All links',
      noTop: 'No clicks in this period',
      instance: {
        disk: {
          low: 'The server’s disk is nearly full. Short links keep working, but visits are no longer counted. Free some space.',
          full: 'The server’s disk is full. Short links keep working, but nothing new can be saved. Delete files or links, or free some space.',
        },
        damage:
          'The server’s database is damaged. Change nothing, stop the server and restore a backup. It won’t start again with the damaged file.',
        secrets: {
          other:
            'Some secrets can’t be opened because vault.key in the data folder is from another computer: {what}. Put the right vault.key back and restart the server, or enter them again.',
          missing:
            'Some secrets can’t be opened because vault.key is missing from the data folder: {what}. New ones can’t be saved either. Put vault.key back and restart the server.',
        },
        kinds: {
          'second-factor': 'two-factor authentication',
          'mailer-key': 'mailer API keys',
          'webhook-secret': 'webhook secrets',
          'backup-passphrase': 'the backup passphrase',
          'single-sign-on-secret': 'the single sign-on secret',
          'mail-password': 'the mail server password',
          'fleet-secret': 'the fleet’s keys',
        },
        lost: 'One visit since the server started wasn’t counted because the disk was full. It still reached its destination. | {count} visits since the server started weren’t counted because the disk was full. They still reached their destinations.',
        clock:
          'The server’s clock jumped far ahead on {since}. Nothing is deleted by age until the clock has run normally for a day. Check the server’s date.',
      },
      empty: {
        title: 'Your first short link is a paste away',
        description:
          'Paste any URL here, or import the links you already have elsewhere. Clicks show up on this page as they happen.',
        creating: 'Paste any URL here. Clicks show up on this page as they happen.',
        none: 'No links yet',
        seeing: 'Links and their clicks show up on this page as soon as there are any.',
        import: 'Import links',
      },
      hints: {
        paste: 'shorten URL from clipboard',
        create: 'new link',
        palette: 'search and commands',
        shortcuts: 'all shortcuts',
      },
      first: {
        label: 'URL to shorten',
        placeholder: 'https://example.com/a-very-long-address',
        shorten: 'Shorten',
        invalid: 'Enter a URL, such as https://example.com.',
      },
    },
  },
};
