export const messages = {
  en: {
    overview: {
      title: 'Overview',
      newLink: 'New link',
      links: 'Links',
      active: '{count} active',
      topLinks: 'Top links',
      allLinks: 'All links',
      noTop: 'No link was clicked in this period',
      instance: {
        disk: {
          low: 'The disk of the server is nearly full. Short links go on, but visits are no longer counted. Free some space.',
          full: 'The disk of the server is full. Short links go on, but nothing new can be saved. Delete files or links, or free some space.',
        },
        lost: 'One visit since the server was started could not be counted, because the disk had no room. It reached its destination. | {count} visits since the server was started could not be counted, because the disk had no room. They reached their destinations.',
        clock:
          'The clock of the server jumped far ahead on {since}. Nothing is deleted for its age until the clock has gone on for a day. Check the date of the server.',
      },
      empty: {
        title: 'Your first short link is a paste away',
        description:
          'Paste any address here, or start with the links you already have elsewhere. Clicks show up on this page the moment they happen.',
        import: 'Import links',
      },
      hints: {
        paste: 'shorten what is copied',
        create: 'new link',
        palette: 'search and commands',
        shortcuts: 'all shortcuts',
      },
      first: {
        label: 'Address to shorten',
        placeholder: 'https://example.com/a-very-long-address',
        shorten: 'Shorten',
        invalid: 'Enter a web address, such as https://example.com.',
      },
    },
  },
};
