export const messages = {
  en: {
    privacy: {
      title: 'Privacy of visitors',
      description: 'Applies to new visits to your links, pages and codes.',
      byInstance: 'Set for everyone by the administrator.',
      noReferrer: {
        label: 'Don’t keep referrers',
        help: 'Where visitors come from.',
      },
      noBrowser: {
        label: 'Don’t keep browsers',
        help: 'Browser, system, device and language.',
      },
      noPlace: {
        label: 'Don’t keep places',
        help: 'Country, region, city and IP address.',
      },
      noSignedIn: {
        label: 'Don’t count people who are signed in',
        help: 'They aren’t counted on this instance’s own URL, in the browser where they use the app. On branded domains, and with the desktop app also on this instance’s own URL, they aren’t counted in a browser in which they opened one of their links from the app in the last 30 days.',
      },
      keep: {
        label: 'Data kept per visit',
        help: '“Counts only” has no unique visitors. Clicks recorded earlier stay as they are.',
        clicks: 'Clicks with their details',
        counts: 'Counts only',
        nothing: 'Nothing at all',
      },
      parameters: {
        title: 'Query parameters',
        description: 'Counted for new visits, alongside UTM values.',
        label: 'Names',
        help: 'Up to five, separated by commas. Statistics show the values that short links are opened with, such as /sale?ref=poster.',
      },
      own: {
        title: 'Your own visits',
        description: 'Open a URL below once in each browser whose visits there shouldn’t count.',
      },
      notKept: {
        intro: 'Not kept of new visits: {what}',
        referrer: 'referrers',
        browser: 'browsers, systems, devices, languages',
        place: 'places',
        visitors: 'everything but their number',
        clicks: 'everything',
        signedin: 'visits of people who are signed in',
      },
    },
  },
};
