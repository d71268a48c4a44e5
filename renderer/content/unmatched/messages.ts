export const messages = {
  en: {
    missed: {
      title: 'Missed visits',
      path: 'Path',
      kind: 'Type',
      kinds: {
        unknown: 'Unknown alias',
        bare: 'Bare domain',
        probe: 'Probe',
      },
      visits: 'Visits',
      referrer: 'Last referrer',
      when: 'Last visit',
      taken: 'has a link now',
      create: 'Create link',
      delete: 'Delete',
      deleteAll: 'Delete all',
      all: 'all types',
      deleteAllTitle: 'Delete missed visits: {what}?',
      deleteAllHelp: 'They can’t be restored. Statistics of links don’t change.',
      deleted: 'No visit deleted | One visit deleted | {n} visits deleted',
      none: 'No missed visits',
      noneHelp: 'When someone opens a URL that has no link, it appears here.',
    },
  },
};
