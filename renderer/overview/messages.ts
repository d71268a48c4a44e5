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
